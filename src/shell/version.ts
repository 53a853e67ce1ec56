/** The version the menu shows (§2). */
export const VERSION = '0.2.8.5.1'
