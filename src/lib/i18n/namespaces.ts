/** Namespaces of the signed-in application's first screen, including the names of record pages, but no texts of devices. */
export const APP_NAMESPACES = ['shell', 'dashboard', 'errors', 'resources'] as const
/** Namespaces that all other screens need. */
export const SCREEN_NAMESPACES = ['company', 'devices', 'lists', 'personal', 'screens'] as const
/** Namespaces of the electricity pages: 5 KB in one request instead of one request each. */
export const ENERGY_NAMESPACES = ['balance', 'charts', 'electricity', 'energy'] as const
