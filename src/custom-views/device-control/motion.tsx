import { useT } from '../../providers/i18n.ts'
import { StateTag } from '../../ui/state-tag.tsx'
import styles from './faces.module.css'
import type { Face } from './face.ts'

/** Whether somebody moves. */
const Motion: Face = ({ status }) => {
  const t = useT()
  const state = status?.['MotionState']
  return (
    <div className={styles.big}>
      {state === undefined ? (
        <StateTag tone="offline">{t('devices:state.unknown')}</StateTag>
      ) : (
        <StateTag tone={state === 1 ? 'on' : 'plain'}>
          {t(state === 1 ? 'devices:state.motion' : 'devices:state.noMotion')}
        </StateTag>
      )}
    </div>
  )
}
export default Motion
