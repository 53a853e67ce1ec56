/** Storage key of the chosen theme, light or dark; kept after sign-out. */
export const THEME_KEY = 'theme'
