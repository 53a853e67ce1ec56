/**
 * Shows the number of unread notifications on the icon of the installed app; 0 clears it. Does nothing in browsers without badges or
 * without the permission.
 */
export async function showBadge(unread: number): Promise<void> {
  // Some browsers lack the API, although the DOM types declare it.
  const badge: Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>> = navigator
  try {
    await (unread > 0 ? badge.setAppBadge?.(unread) : badge.clearAppBadge?.())
  } catch {
    // The bell in the header shows the number too.
  }
}
