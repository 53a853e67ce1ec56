import { useT } from '../../providers/i18n.ts'
import { onOff, SwitchControl } from '../../ui/switch-control.tsx'
import { StateTag } from '../../ui/state-tag.tsx'
import styles from './faces.module.css'
import type { Face } from './face.ts'
import { useSwitchName } from './switch-name.ts'

/** Up to three relays, one line each; words only where they may not be switched (§2). */
const Switches: Face = ({ capability, status, send, pending }) => {
  const t = useT()
  const nameOf = useSwitchName()
  return (
    <div className={styles.lines}>
      {Object.keys(capability.command).map((field) => {
        const value = status?.[field]
        if (send)
          return (
            <SwitchControl
              key={field}
              name={nameOf(field)}
              labelled
              value={value}
              wanted={pending?.[field]}
              onChange={(next) => send({ [field]: next })}
            />
          )
        return (
          <div key={field} className={styles.line}>
            <span>{nameOf(field)}</span>
            <StateTag tone={value === 1 ? 'on' : 'plain'}>
              {value === undefined ? t('devices:state.unknown') : onOff(t, value)}
            </StateTag>
          </div>
        )
      })}
    </div>
  )
}
export default Switches
