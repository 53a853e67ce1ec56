import { Button } from 'antd'
import { useState } from 'react'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { useMay } from '../../data/session.ts'
import { loadNamespaces, useT } from '../../lib/i18n/i18n.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import page from '../../ui/page/page.module.css'
import styles from './device-panel.module.css'

const ReplaceDialog = lazyPart(
  async () =>
    (
      await Promise.all([
        import('../../domain/automation/replace/replace-dialog.tsx'),
        loadNamespaces(['automation']),
      ])
    )[0],
  { over: true },
)

/** Puts another device in the place of this one, wherever that is named. */
export function ReplaceSection({ device }: { device: Peripheral }) {
  const t = useT()
  const mayUpdate = useMay('device', 'Update')
  const [isAsking, setAsking] = useState(false)
  if (!mayUpdate) return null
  return (
    <section className={`${page.section} ${styles.section}`}>
      <h2>{t('devices:replace.title')}</h2>
      <p className={styles.note}>{t('devices:replace.note')}</p>
      <Button onClick={() => setAsking(true)}>{t('devices:replace.button')}</Button>
      {isAsking && <ReplaceDialog old={device} close={() => setAsking(false)} />}
    </section>
  )
}
