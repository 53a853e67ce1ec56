import { useEffect, useState } from 'react'

/** How this browser stands to notifications from this site. */
export type BrowserPermission = NotificationPermission | 'unsupported'

const now = (): BrowserPermission =>
  typeof Notification === 'undefined' || !isSecureContext ? 'unsupported' : Notification.permission

/** The permission as it stands, followed while the person changes it in the browser's own settings. */
export function useBrowserPermission(): BrowserPermission {
  const [permission, setPermission] = useState(now)
  useEffect(() => {
    const look = () => setPermission(now())
    let status: PermissionStatus | undefined
    let gone = false
    // Not every browser can be asked for changes; coming back to the page looks again as well.
    navigator.permissions?.query({ name: 'notifications' }).then(
      (found) => {
        if (gone) return
        status = found
        status.addEventListener('change', look)
      },
      () => {},
    )
    document.addEventListener('visibilitychange', look)
    return () => {
      gone = true
      status?.removeEventListener('change', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return permission
}
