/** What there is to say of installing the dashboard and of push on this device. */
export type InstallMethod = 'inApp' | 'offer' | 'ios' | 'unsupported' | 'none'

/** What a device is like, as far as installing goes. */
export interface Device {
  userAgent: string
  touchPoints: number
  /** Opened from the home screen already. */
  standalone: boolean
  /** In the web view of the application. */
  inApp: boolean
  /** The browser offers to install. */
  offers: boolean
  /** The browser can receive pushes here and now. */
  push: boolean
}

/** The first version of iOS that pushes to websites on the home screen. */
const IOS_PUSH = 16.4

/** The version of iOS or iPadOS, e.g. 16.4; undefined on other systems. iPadOS calls itself a Mac, which has no touch. */
export function iosVersion({ userAgent, touchPoints }: Pick<Device, 'userAgent' | 'touchPoints'>) {
  const own = /\b(?:iPhone|iPad|iPod).*? OS (\d+)(?:_(\d+))?/.exec(userAgent)
  const asMac = touchPoints > 1 && /Macintosh.* Version\/(\d+)(?:\.(\d+))?/.exec(userAgent)
  const [, major, minor = '0'] = own ?? (asMac || [])
  return major === undefined ? undefined : Number(`${major}.${minor}`)
}

/** What to say on a device. */
export function installMethod(device: Device): InstallMethod {
  if (device.inApp) return 'inApp'
  const ios = iosVersion(device)
  const phone = ios !== undefined || /\bAndroid\b/.test(device.userAgent)
  if (ios !== undefined && ios >= IOS_PUSH && !device.standalone) return 'ios'
  if (phone && !device.push) return 'unsupported'
  return device.offers && !device.standalone ? 'offer' : 'none'
}
