import { Button, Card } from 'antd'
import { useState } from 'react'
import { installPrompt } from '../../lib/install-prompt.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useStore } from '../../lib/store.ts'
import { nativeHost } from '../../native/host.ts'
import page from '../../ui/page/page.module.css'
import styles from './install-hint.module.css'

/** Hint to show about installing the app and push on this device. */
type InstallMethod = 'inApp' | 'offer' | 'ios' | 'unsupported' | 'none'

/** Properties of a device that matter for installing. */
export interface Device {
  userAgent: string
  touchPoints: number
  /** Whether the app runs from the home screen. */
  standalone: boolean
  /** Whether the app runs in the web view of the native application. */
  inApp: boolean
  /** Whether the browser offers to install the app. */
  offers: boolean
  /** Whether the browser can receive push messages in its current mode. */
  push: boolean
}

/** First iOS version with push messages for websites on the home screen. */
const IOS_PUSH = 16.4

/** Version of iOS or iPadOS, e.g. 16.4; undefined on other systems. iPadOS reports itself as a Mac, but Macs have no touch screen. */
export function iosVersion({ userAgent, touchPoints }: Pick<Device, 'userAgent' | 'touchPoints'>) {
  const iosMatch = /\b(?:iPhone|iPad|iPod).*? OS (\d+)(?:_(\d+))?/.exec(userAgent)
  const asMac = touchPoints > 1 && /Macintosh.* Version\/(\d+)(?:\.(\d+))?/.exec(userAgent)
  const [, major, minor = '0'] = iosMatch ?? (asMac || [])
  return major === undefined ? undefined : Number(`${major}.${minor}`)
}

export function installMethod(device: Device): InstallMethod {
  if (device.inApp) return 'inApp'
  const ios = iosVersion(device)
  const phone = ios !== undefined || /\bAndroid\b/.test(device.userAgent)
  if (ios !== undefined && ios >= IOS_PUSH && !device.standalone) return 'ios'
  if (phone && !device.push) return 'unsupported'
  return device.offers && !device.standalone ? 'offer' : 'none'
}

/** localStorage key that records that the hint was dismissed. */
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
 * Hint how to install the app on this device, if that is possible or push messages require it. It can be dismissed; renders nothing if
 * there is no hint.
 */
export function InstallHint({ className }: { className?: string | undefined }) {
  const t = useT()
  const prompt = useStore(installPrompt)
  const [read, setRead] = useState(() => localStorage.getItem(READ_KEY) !== null)
  const method = installMethod(deviceNow(prompt !== undefined))
  if (method === 'none' || (read && method !== 'unsupported')) return null
  const dismiss = () => {
    localStorage.setItem(READ_KEY, '1')
    setRead(true)
  }
  const install = async () => {
    // The prompt can be shown only once.
    installPrompt.set(undefined)
    await prompt?.prompt()
  }
  return (
    <Card className={className} title={t('personal:install.title')}>
      <p className={styles.text}>{t(`personal:install.${method}`)}</p>
      <div className={`${page.buttons} ${styles.actions}`}>
        {method === 'offer' && (
          <Button type="primary" onClick={() => void install()}>
            {t('personal:install.install')}
          </Button>
        )}
        {method !== 'unsupported' && <Button onClick={dismiss}>{t('personal:install.dismiss')}</Button>}
      </div>
    </Card>
  )
}
