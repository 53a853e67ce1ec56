/** What the application behind the sign-in needs before it can be drawn: no word of a device among them. */
export const APP_NAMESPACES = ['shell', 'dashboard', 'errors'] as const
/** What every other screen comes with. */
export const SCREEN_NAMESPACES = ['company', 'devices', 'lists', 'personal', 'resources', 'screens'] as const
