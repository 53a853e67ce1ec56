/** What the application behind the sign-in needs before it can be drawn: the names of the records' pages, but no word of a device. */
export const APP_NAMESPACES = ['shell', 'dashboard', 'errors', 'resources'] as const
/** What every other screen comes with. */
export const SCREEN_NAMESPACES = ['company', 'devices', 'lists', 'personal', 'screens'] as const
/** The page of electricity needs all of these; they are 5 KB together, and each of them alone would cost it a request. */
export const ENERGY_NAMESPACES = ['balance', 'charts', 'electricity', 'energy'] as const
