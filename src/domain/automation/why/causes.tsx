import { Button } from 'antd'
import { useState } from 'react'
import type { Cause } from '../../../../contract/automation/run-calls.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { RunButton } from '../runs/run-button.tsx'
import { useCauseWords } from './cause-words.ts'
import styles from './why.module.css'

/** Causes that are shown before somebody asks for all of them. */
const SHOWN = 4

/** What set a device, newest first; a run behind it can be opened. */
export function Causes({ device, causes }: { device: Peripheral; causes: readonly Cause[] }) {
  const t = useT()
  const { causeOf } = useCauseWords(device)
  const [showsAll, showAll] = useState(false)
  if (causes.length === 0) return <p className={page.note}>{t('automation:why.none')}</p>
  const shown = showsAll ? causes : causes.slice(0, SHOWN)
  const more = causes.length - shown.length
  return (
    <>
      <ol className={styles.lines}>
        {shown.map((cause, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- two may say the same; the order is fixed
          <li key={i}>
            <span>{causeOf(cause)}</span>
            {cause.Run && (
              <RunButton
                HomeID={device.HomeID}
                name={cause.Run.Name ?? causeOf(cause)}
                runId={cause.Run.RunID}
              >
                {t('automation:run.details')}
              </RunButton>
            )}
          </li>
        ))}
      </ol>
      {more > 0 && (
        <Button type="text" onClick={() => showAll(true)}>
          {t('automation:why.earlier', { count: more })}
        </Button>
      )}
    </>
  )
}
