import { Button, Card } from 'antd'
import { useState } from 'react'
import { installPrompt } from '../../lib/install-prompt.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useStore } from '../../lib/store.ts'
import { nativeHost } from '../../native/host.ts'
import page from '../../ui/page/page.module.css'
import styles from './install-hint.module.css'

/** What there is to say of installing the dashboard and of push on this device. */
type InstallMethod = 'inApp' | 'offer' | 'ios' | 'unsupported' | 'none'

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

/** Where it is kept that somebody has read the hint. */
const READ_KEY = 'installHintRead'

const deviceNow = (offers: boolean): Device => ({
  userAgent: navigator.userAgent,
  touchPoints: navigator.maxTouchPoints,
  standalone:
    matchMedia('(display-mode: standalone)').matches ||
    (navigator as { standalone?: boolean }).standalone === true,
  inApp: nativeHost() !== undefined,
  offers,
  push: 'PushManager' in globalThis && 'serviceWorker' in navigator,
})

/**
 * How to have the dashboard on the home screen of this device, where that can be done or pushes need it; who has read it
 * can put it away. Nothing where there is nothing to say.
 */
export function InstallHint({ className }: { className?: string | undefined }) {
  const t = useT()
  const prompt = useStore(installPrompt)
  const [read, setRead] = useState(() => localStorage.getItem(READ_KEY) !== null)
  const way = installMethod(deviceNow(prompt !== undefined))
  if (way === 'none' || (read && way !== 'unsupported')) return null
  const dismiss = () => {
    localStorage.setItem(READ_KEY, '1')
    setRead(true)
  }
  const install = async () => {
    // It may be asked only once.
    installPrompt.set(undefined)
    await prompt?.prompt()
  }
  return (
    <Card className={className} title={t('personal:install.title')}>
      <p className={styles.text}>{t(`personal:install.${way}`)}</p>
      <div className={`${page.buttons} ${styles.actions}`}>
        {way === 'offer' && (
          <Button type="primary" onClick={() => void install()}>
            {t('personal:install.install')}
          </Button>
        )}
        {way !== 'unsupported' && <Button onClick={dismiss}>{t('personal:install.dismiss')}</Button>}
      </div>
    </Card>
  )
}
