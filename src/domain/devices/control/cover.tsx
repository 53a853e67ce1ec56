import { Button, Space } from 'antd'
import { choiceOf } from '../../../../contract/devices/kinds/field-shape.ts'
import { MOVES } from '../../../../contract/devices/capabilities/cover.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useDeviceFieldWords, valueKey } from '../field-words.ts'
import page from '../../../ui/page/page.module.css'
import { FieldControl } from './field-control.tsx'
import { FieldValue } from './field-value.tsx'
import type { Face } from './face.ts'
import styles from './faces.module.css'
import { Readings } from './readings.tsx'
import { confirmCommand } from '../commands/use-device-control.ts'

/** A cover: its state, three buttons, and a slider if the motor knows its position. */
const Cover: Face = ({ capability, status, send, pending }) => {
  const t = useT()
  const { nameOf } = useDeviceFieldWords()
  const hasPosition = status?.['Position'] !== undefined
  const requestedMove = choiceOf(MOVES, pending?.['Move'])?.[0]
  return (
    <>
      <div className={styles.big}>
        <FieldValue large capability={capability} field="CoverState" value={status?.['CoverState']} />
      </div>
      {hasPosition && <Readings capability={capability} status={status} fields={['Position']} />}
      {send && (
        <div className={`${page.column} ${styles.lines}`}>
          <div className={styles.line}>
            <span>{nameOf(capability, 'Move')}</span>
            {/* Buttons instead of a choice: each can be pressed at any time, and the last request does not tell the position. */}
            <Space.Compact>
              {MOVES.map(([Move, name]) => (
                <Button
                  key={Move}
                  loading={requestedMove === Move}
                  onClick={() => confirmCommand(capability, { Move }, () => send({ Move }))}
                >
                  {t(valueKey(name))}
                </Button>
              ))}
            </Space.Compact>
          </div>
          {hasPosition && (
            <FieldControl
              capability={capability}
              field="TargetPosition"
              status={status}
              send={send}
              pending={pending}
            />
          )}
        </div>
      )}
    </>
  )
}
export default Cover
