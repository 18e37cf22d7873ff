/** The keywords that opt out of every account, beside its own. */
export const ALWAYS_OUT_KEYWORDS: readonly string[] = [
  ...['STOP', 'STOPALL', 'STOPP', 'ABMELDEN', 'ABBESTELLEN', 'AUSTRAGEN'],
  ...['ARRET', 'ARRÊT', 'DESABONNER', 'DÉSABONNER', 'DESINSCRIRE', 'DÉSINSCRIRE', 'BAJA', 'PARAR'],
];
/** The keyword that opts in to every account. */
export const ALWAYS_IN_KEYWORD = 'START';
