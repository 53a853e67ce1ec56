/** Where the browser keeps which of light and dark the person chose; it stays when they sign out. */
export const THEME_KEY = 'theme'
