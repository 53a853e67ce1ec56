import { useT } from '../../providers/i18n.ts'
import { StateTag } from '../../ui/state-tag.tsx'
import styles from './faces.module.css'
import type { Face } from './face.ts'

/** Open or closed (§4: 1 closed, 2 open). */
const Door: Face = ({ status }) => {
  const t = useT()
  const state = status?.['DoorState']
  return (
    <div className={styles.big}>
      {state === undefined ? (
        <StateTag tone="offline">{t('devices:state.unknown')}</StateTag>
      ) : (
        <StateTag tone={state === 2 ? 'warning' : 'plain'}>
          {t(state === 2 ? 'devices:state.doorOpen' : 'devices:state.doorClosed')}
        </StateTag>
      )}
    </div>
  )
}
export default Door
