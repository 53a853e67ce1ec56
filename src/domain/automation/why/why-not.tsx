import { Link } from 'react-router'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { pathOfUser } from '../parts/path-of-user.ts'
import { RunButton } from '../runs/run-button.tsx'
import type { CauseText } from './cause-words.ts'
import { gatherNearly, useWhyNotWords } from './why-not-words.ts'
import styles from './why.module.css'

interface Props {
  device: Pick<Peripheral, 'HomeID'>
  explained: CauseText
}

/** Why automations of a device cannot act now, and why some did not lately; nothing of a device that none sets or asks for. */
export function WhyNot({ device: { HomeID }, explained: { Held, Nearly, Next } }: Props) {
  const t = useT()
  const { heldOf, nearlyOf } = useWhyNotWords(HomeID)
  if (Held.length + Nearly.length + Next.length === 0) return null
  return (
    <section className={`${page.section} ${styles.section}`} aria-label={t('automation:why.notTitle')}>
      <h2>{t('automation:why.notTitle')}</h2>
      {Held.length + Nearly.length === 0 && <p className={page.note}>{t('automation:why.notNone')}</p>}
      <ul className={styles.lines}>
        {Held.map((rule) => (
          <li key={rule.AutomationID}>
            <Link to={pathOfUser({ ...rule, Kind: 'automation', HomeID, ID: rule.AutomationID })}>
              {heldOf(rule)}
            </Link>
          </li>
        ))}
        {gatherNearly(Nearly).map((miss) => (
          <li key={miss.run.RunID}>
            <span>{nearlyOf(miss)}</span>
            <RunButton HomeID={HomeID} name={miss.run.Name ?? nearlyOf(miss)} runId={miss.run.RunID}>
              {t('automation:run.details')}
            </RunButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
