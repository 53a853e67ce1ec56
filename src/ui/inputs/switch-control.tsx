import type { FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { useNoControl } from './no-control.ts'
import styles from './switch-control.module.css'

interface Props {
  /** What the switch is called, also for those who cannot see where it stands. */
  name: string
  /** Show the name beside it. */
  labelled?: boolean
  small?: boolean
  /** What the device reports; undefined before its first report. */
  value: unknown
  /** What was asked for and not yet reported. */
  wanted: unknown
  onChange: (next: 0 | 1) => void
}

/**
 * One relay. It stands where the device says it stands: a click only asks, and until the device reports the wanted
 * value shows beside it. Plain elements: lists have one in each line.
 */
export const SwitchControl: FC<Props> = ({ name, labelled, small = false, value, wanted, onChange }) => {
  const t = useT()
  const why = useNoControl()
  const pending = wanted !== undefined && wanted !== value
  const state = value === undefined ? t('devices:state.unknown') : onOff(t, value)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- only keeps a click from opening the row
    <label className={styles.control} onClick={(event) => event.stopPropagation()}>
      {labelled && <span className={styles.name}>{name}</span>}
      <button
        type="button"
        role="switch"
        aria-checked={value === 1}
        aria-busy={pending}
        aria-label={name}
        title={why}
        className={[styles.switch, small && styles.small, pending && styles.waiting, why && styles.disabled]
          .filter(Boolean)
          .join(' ')}
        // A switch that waits or cannot be used stays in reach: `disabled` would lose the keyboard's focus, and hide the reason.
        aria-disabled={why !== undefined}
        onClick={() => {
          if (!pending && why === undefined) onChange(value === 1 ? 0 : 1)
        }}
      />
      <span className={pending ? styles.pending : styles.state} aria-live="polite">
        {pending ? t('devices:command.changing', { from: state, to: onOff(t, wanted) }) : state}
      </span>
    </label>
  )
}

/** On or off, in words. */
export const onOff = (t: (key: 'devices:state.on' | 'devices:state.off') => string, value: unknown) =>
  t(value === 1 ? 'devices:state.on' : 'devices:state.off')
