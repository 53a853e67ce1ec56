import type { FC } from 'react'
import { LIST_STATES } from '../../../contract/lists/list-query.ts'
import type { countRows } from '../../domain/devices/device-rows.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './device-list.module.css'
import type { ListAddress } from './use-list-address.ts'

interface Props {
  address: ListAddress
  counts: ReturnType<typeof countRows>
}

/** How many devices are in each state, worst first; a press lists them. */
export const StateChips: FC<Props> = ({ address: { state, change }, counts }) => {
  const t = useT()
  return (
    <fieldset className={`${page.buttons} ${styles.chips}`} aria-label={t('screens:devices.byState')}>
      <Chip
        label={t('screens:devices.anyState')}
        count={counts.anyState}
        pressed={state === undefined}
        onClick={() => change({ state: undefined })}
      />
      {LIST_STATES.filter((one) => counts.byState.has(one) || state === one).map((one) => (
        <Chip
          key={one}
          sign={one}
          label={t(`devices:listStates.${one}`)}
          count={counts.byState.get(one) ?? 0}
          pressed={state === one}
          onClick={() => change({ state: state === one ? undefined : one })}
        />
      ))}
    </fieldset>
  )
}

function Chip(props: { sign?: string; label: string; count: number; pressed: boolean; onClick: () => void }) {
  const language = useLanguage()
  return (
    <button type="button" className={styles.chip} aria-pressed={props.pressed} onClick={props.onClick}>
      {props.sign && <i className={styles.sign} data-state={props.sign} aria-hidden="true" />}
      {props.label} <span>{props.count.toLocaleString(language)}</span>
    </button>
  )
}
