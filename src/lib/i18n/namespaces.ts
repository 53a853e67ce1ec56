/** What the application behind the sign-in needs before it can be drawn: the names of the records' pages, but no word of a device. */
export const APP_NAMESPACES = ['shell', 'dashboard', 'errors', 'resources'] as const
/** What every other screen comes with. */
export const SCREEN_NAMESPACES = ['company', 'devices', 'lists', 'personal', 'screens'] as const
/** What draws electricity needs these, most of it all of them. */
export const ENERGY_NAMESPACES = ['balance', 'charts', 'electricity', 'energy'] as const
