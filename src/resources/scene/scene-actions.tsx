import { CameraOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { runs as calls } from '../../../contract/automation/run-calls.ts'
import { ActionsField } from '../../domain/automation/actions/actions-field.tsx'
import { DeviceChecklist } from '../../domain/automation/actions/device-checklist.tsx'
import type { EditedAction } from '../../domain/automation/targets/target.ts'
import { useActionFacts } from '../../domain/automation/targets/use-action-facts.ts'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { Modal } from '../../ui/page/dialog.tsx'

/** Maximum number of devices per call. */
const MAX_ACTIONS = 100

interface Props {
  HomeID: string
  inOrder: boolean
  errors: Readonly<Record<string, string>>
  disabled: boolean
  /** Called when the actions change. */
  onEdit: () => void
  /** Set by the form. */
  value?: readonly EditedAction[]
  onChange?: (actions: EditedAction[]) => void
}

/** Actions of a scene, which can be captured from the current state of devices. */
export function SceneActions({ HomeID, value = [], onChange, onEdit, disabled, ...field }: Props) {
  const t = useT()
  const may = useMay('scene', 'Create')
  const [isCapturing, setCapturing] = useState(false)
  const change = (actions: EditedAction[]) => {
    onEdit()
    onChange?.(actions)
  }
  return (
    <div className={page.tightStack}>
      {may && !disabled && (
        <div>
          <Button icon={<CameraOutlined />} onClick={() => setCapturing(true)}>
            {t('automation:capture.button')}
          </Button>
        </div>
      )}
      <ActionsField {...field} HomeID={HomeID} value={value} onChange={change} disabled={disabled} />
      {isCapturing && (
        <Capture
          HomeID={HomeID}
          present={value}
          close={() => setCapturing(false)}
          onCapture={(captured) => {
            setCapturing(false)
            change(withCaptured(value, captured))
          }}
        />
      )}
    </div>
  )
}

/** Merges captured actions: they replace those for the same devices; the others are appended. */
function withCaptured(actions: readonly EditedAction[], captured: readonly EditedAction[]): EditedAction[] {
  const remaining = new Map(captured.map((one) => [one.PeripheralUID, one]))
  const updatedActions = actions.map((action) => {
    const now = action.PeripheralUID === undefined ? undefined : remaining.get(action.PeripheralUID)
    if (!now) return action
    remaining.delete(action.PeripheralUID)
    return { ...action, Values: now.Values }
  })
  return [...updatedActions, ...remaining.values()]
}

interface CaptureProps {
  HomeID: string
  present: readonly EditedAction[]
  close: () => void
  onCapture: (captured: readonly EditedAction[]) => void
}

function Capture({ HomeID, present, close, onCapture }: CaptureProps) {
  const t = useT()
  const facts = useActionFacts(HomeID)
  const [selectedUids, setSelectedUids] = useState<ReadonlySet<string>>(
    () => new Set(present.flatMap(({ PeripheralUID }) => PeripheralUID ?? [])),
  )
  const capture = useAction(calls.captureScene)
  const ok = async () => {
    const knownUids = [...selectedUids].filter((uid) => facts.devices.has(uid))
    const result = await capture.run({ HomeID, PeripheralList: knownUids })
    if (!result) return
    const unknown = result.Unknown.map((uid) => facts.devices.get(uid)?.PeripheralName ?? uid)
    if (unknown.length > 0)
      notices.info(() =>
        words('automation:capture.unknown', { names: unknown.join(words('screens:listComma')) }),
      )
    onCapture(result.Actions)
  }
  return (
    <Modal
      open
      width={720}
      title={t('automation:capture.title')}
      onCancel={close}
      cancelText={t('screens:cancel')}
      okText={t('automation:capture.ok', { count: selectedUids.size })}
      okButtonProps={{ disabled: selectedUids.size === 0, loading: capture.busy }}
      onOk={() => void ok()}
    >
      <p className={page.note}>{t('automation:capture.note')}</p>
      <DeviceChecklist
        rows={facts.rows}
        rooms={facts.rooms}
        selected={selectedUids}
        onChange={setSelectedUids}
        max={MAX_ACTIONS}
      />
    </Modal>
  )
}
