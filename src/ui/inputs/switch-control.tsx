import type { FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { useNoControl } from './no-control.ts'
import styles from './switch-control.module.css'

interface Props {
  /** Name of the switch, also for screen readers. */
  name: string
  labelled?: boolean
  small?: boolean
  /** Reported value; undefined before the device's first report. */
  value: unknown
  /** Requested value that the device has not reported yet. */
  requested: unknown
  onChange: (next: 0 | 1) => void
}

/**
 * Switch of one relay. It shows the reported state: a click only sends a request, and the requested value is shown next to it until the
 * device reports it. Plain elements, because lists have one in each row.
 */
export const SwitchControl: FC<Props> = ({ name, labelled, small = false, value, requested, onChange }) => {
  const t = useT()
  const reason = useNoControl()
  const pending = requested !== undefined && requested !== value
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
        title={reason}
        className={[
          styles.switch,
          small && styles.small,
          pending && styles.waiting,
          reason && styles.disabled,
        ]
          .filter(Boolean)
          .join(' ')}
        // A pending or unusable switch stays focusable: `disabled` would lose the keyboard focus, and hide the reason.
        aria-disabled={reason !== undefined}
        onClick={() => {
          if (!pending && reason === undefined) onChange(value === 1 ? 0 : 1)
        }}
      />
      <span className={pending ? styles.pending : styles.state} aria-live="polite">
        {pending ? t('devices:command.changing', { from: state, to: onOff(t, requested) }) : state}
      </span>
    </label>
  )
}

export const onOff = (t: (key: 'devices:state.on' | 'devices:state.off') => string, value: unknown) =>
  t(value === 1 ? 'devices:state.on' : 'devices:state.off')
