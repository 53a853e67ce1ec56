import { useT } from '../../providers/i18n.ts'
import { onOff, SwitchControl } from '../../ui/switch-control.tsx'
import { StateTag } from '../../ui/state-tag.tsx'
import { useConfirmContact } from './use-confirm-contact.ts'
import styles from './faces.module.css'
import type { Face } from './face.ts'

const MODES = ['pulse', 'switch', 'toggle'] as const

/** A potential-free output. It may start a machine, so it asks before it moves. */
const DryContact: Face = ({ status, send, pending }) => {
  const t = useT()
  const confirm = useConfirmContact()
  const value = status?.['Switch']
  const mode = MODES[status?.['ContactMode'] as number]
  return (
    <div className={styles.lines}>
      {send ? (
        <SwitchControl
          name={t('devices:contact')}
          labelled
          value={value}
          wanted={pending?.['Switch']}
          onChange={(Switch) => confirm(Switch, () => send({ Switch }))}
        />
      ) : (
        <div className={styles.line}>
          <span>{t('devices:contact')}</span>
          <StateTag tone={value === 1 ? 'on' : 'plain'}>
            {value === undefined ? t('devices:state.unknown') : onOff(t, value)}
          </StateTag>
        </div>
      )}
      {mode && (
        <div className={styles.line}>
          <span>{t('devices:fields.ContactMode')}</span>
          <span>{t(`devices:contactMode.${mode}`)}</span>
        </div>
      )}
    </div>
  )
}
export default DryContact
