// The generated client names a type of browsers that Node's types do not have.
type BodyInit = NonNullable<RequestInit['body']>;
