/**
 * Shows on the icon of the installed dashboard how many notifications are unread; 0 takes the number away. Browsers without
 * badges, or without the permission, show nothing.
 */
export async function showBadge(unread: number): Promise<void> {
  // Not every browser has it, whatever the DOM library says.
  const badge: Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>> = navigator
  try {
    await (unread > 0 ? badge.setAppBadge?.(unread) : badge.clearAppBadge?.())
  } catch {
    // The bell says it as well.
  }
}
