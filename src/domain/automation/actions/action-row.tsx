import {
  ApartmentOutlined,
  ArrowDownOutlined,
  ArrowUpOutlined,
  DeleteOutlined,
  HolderOutlined,
  HomeOutlined,
  ThunderboltOutlined,
} from '@ant-design/icons'
import { Button, Select } from 'antd'
import type { KeyboardEvent, ReactNode } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { NumberWithUnit } from '../../../ui/inputs/number-with-unit.tsx'
import { RowIcon } from '../../devices/kind-name.tsx'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { confirmationFor } from '../../../../contract/devices/kinds/command-checks.ts'
import { deviceType } from '../../../../contract/devices/kinds/registry.ts'
import page from '../../../ui/page/page.module.css'
import styles from './actions.module.css'
import { ActionValues } from './action-values.tsx'
import { editedTarget, isTargetMissing, targetTypeOf, type EditedAction } from '../targets/target.ts'
import type { ActionFacts } from '../targets/use-action-facts.ts'
import type { ActionWords } from './use-action-words.ts'

/** Maximum delay before an action, s. */
const MAX_WAIT_S = 300

export interface RowMoves {
  onMoveUp: (() => void) | undefined
  onMoveDown: (() => void) | undefined
  remove: () => void
  replace: () => void
  /** Handlers of the drag handle. */
  drag: { onDragStart: () => void; onDragEnd: () => void }
}

interface Props {
  action: EditedAction
  facts: ActionFacts
  words: ActionWords
  /** Error messages by path below this action; '' for the action as a whole. */
  errors: Readonly<Record<string, string>>
  disabled: boolean
  /** Whether actions run in sequence, so that a delay counts from the previous action. */
  inOrder: boolean
  moves: RowMoves
  onChange: (action: EditedAction) => void
}

/** One action: its target, its values, its delay, and what happens if the hub is offline. */
export function ActionRow({ action, facts, words, errors, disabled, inOrder, moves, onChange }: Props) {
  const t = useT()
  const name = words.nameOf(action)
  const place = words.placeOf(action)
  const target = editedTarget(action)
  const isMissing = isTargetMissing(target, facts)
  const targetType = targetTypeOf(target, facts)
  const needsConfirmation =
    targetType !== undefined && confirmationFor(targetType.type, action.Values) !== undefined
  return (
    <div className={`${page.card} ${page.padded} ${page.tightStack}`}>
      <div className={page.tightRow}>
        {!disabled && <Handle name={name} moves={moves} />}
        <TargetIcon action={action} facts={facts} />
        <div className={`${page.field} ${page.grow} ${page.words}`}>
          <b>{name}</b>
          {place && <small>{place}</small>}
        </div>
        {!disabled && <RowButtons name={name} moves={moves} />}
      </div>
      {isMissing ? (
        <Gone moves={disabled ? undefined : moves} kind={target.kind} />
      ) : (
        <>
          {target.kind !== 'scene' && (
            <ActionValues {...{ action, facts, words, errors, disabled, name, onChange }} />
          )}
          {needsConfirmation && (
            <p className={page.note}>
              <StateTag tone="warning">{t('automation:actions.asksFirst')}</StateTag>
            </p>
          )}
          <Options
            {...{ action, errors, disabled, inOrder, name, onChange }}
            mayCatchUp={!needsConfirmation}
          />
        </>
      )}
      {(errors[''] ?? errors['Values']) && !isMissing && (
        <p role="alert" className={`${page.fault} ${page.wholeRow}`}>
          {errors[''] ?? errors['Values']}
        </p>
      )}
    </div>
  )
}

/** Drag handle; with the focus on it, the arrow keys move the row. */
function Handle({ name, moves }: { name: string; moves: RowMoves }) {
  const t = useT()
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowUp: moves.onMoveUp, ArrowDown: moves.onMoveDown }[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }
  return (
    <button
      type="button"
      draggable
      className={styles.handle}
      title={t('automation:actions.drag')}
      aria-label={t('automation:actions.move', { name })}
      onKeyDown={onKeyDown}
      {...moves.drag}
    >
      <HolderOutlined aria-hidden />
    </button>
  )
}

function RowButtons({ name, moves }: { name: string; moves: RowMoves }) {
  const t = useT()
  return (
    <div className={page.tightRow}>
      <Button
        type="text"
        icon={<ArrowUpOutlined />}
        disabled={!moves.onMoveUp}
        aria-label={t('automation:actions.up', { name })}
        onClick={moves.onMoveUp}
      />
      <Button
        type="text"
        icon={<ArrowDownOutlined />}
        disabled={!moves.onMoveDown}
        aria-label={t('automation:actions.down', { name })}
        onClick={moves.onMoveDown}
      />
      <Button
        type="text"
        danger
        icon={<DeleteOutlined />}
        aria-label={t('automation:actions.remove', { name })}
        onClick={moves.remove}
      />
    </div>
  )
}

function Gone({ kind, moves }: { kind: 'device' | 'group' | 'room' | 'scene'; moves: RowMoves | undefined }) {
  const t = useT()
  return (
    <div className={page.tightRow} role="alert">
      <StateTag tone="alarm">{t(`automation:actions.gone.${kind}`)}</StateTag>
      {moves && (
        <>
          {kind === 'device' && <Button onClick={moves.replace}>{t('automation:actions.replace')}</Button>}
          <Button danger onClick={moves.remove}>
            {t('automation:actions.removeGone')}
          </Button>
        </>
      )}
    </div>
  )
}

interface OptionsProps extends Pick<Props, 'action' | 'errors' | 'disabled' | 'inOrder' | 'onChange'> {
  name: string
  mayCatchUp: boolean
}

function Options({ action, errors, disabled, inOrder, name, mayCatchUp, onChange }: OptionsProps) {
  const t = useT()
  const error = errors['After'] ?? errors['IfOffline']
  return (
    <div className={`${page.wideRow} ${page.muted} ${styles.options}`}>
      <label>
        <span>{t(inOrder ? 'automation:actions.waitAfter' : 'automation:actions.wait')}</span>
        <NumberWithUnit
          aria-label={t('automation:actions.waitOf', { name })}
          className={styles.seconds ?? ''}
          disabled={disabled}
          min={0}
          max={MAX_WAIT_S}
          precision={0}
          value={action.After ?? 0}
          unit={t('automation:actions.seconds')}
          onChange={(After) => onChange({ ...action, After: After ?? 0 })}
        />
      </label>
      {action.SceneID === undefined && (
        <label>
          <span>{t('automation:actions.offline')}</span>
          <Select
            aria-label={t('automation:actions.offlineOf', { name })}
            className={styles.choice ?? ''}
            disabled={disabled || !mayCatchUp}
            value={(mayCatchUp && action.IfOffline) || 'fail'}
            options={(['fail', 'catchUp'] as const).map((value) => ({
              value,
              label: t(`automation:actions.ifOffline.${value}`),
            }))}
            onChange={(IfOffline) => onChange({ ...action, IfOffline })}
          />
        </label>
      )}
      {error && (
        <p role="alert" className={`${page.fault} ${page.wholeRow}`}>
          {error}
        </p>
      )}
    </div>
  )
}

function TargetIcon({ action, facts }: { action: EditedAction; facts: ActionFacts }): ReactNode {
  const target = editedTarget(action)
  if (target.kind === 'group') return <ApartmentOutlined className={styles.icon ?? ''} aria-hidden />
  if (target.kind === 'room') return <HomeOutlined className={styles.icon ?? ''} aria-hidden />
  if (target.kind === 'scene') return <ThunderboltOutlined className={styles.icon ?? ''} aria-hidden />
  const device = facts.devices.get(target.PeripheralUID)
  return <RowIcon row={{ device, type: device && deviceType(device.PeripheralType) }} />
}
