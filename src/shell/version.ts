/** Version shown in the menu (§2). */
export const VERSION = '0.2.8.5.1'
