// A browser type used by the generated client that Node's types lack.
type BodyInit = NonNullable<RequestInit['body']>;
