import { Alert, Form, Select } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { automations } from '../../../../contract/automation/calls.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { useDevices, useHomes } from '../../../data/homes.ts'
import { describeFailure, describeField } from '../../../data/failure.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { MissingRight } from '../../../ui/page/missing-right.tsx'
import page from '../../../ui/page/page.module.css'
import { ListSkeleton, LoadFailed } from '../../../ui/page/states.tsx'
import { Modal } from '../../../ui/page/dialog.tsx'
import { holdsLabel } from '../../../lib/match-words.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { useQuery } from '@tanstack/react-query'
import { runs as calls } from '../../../../contract/automation/run-calls.ts'
import { callQuery } from '../../../data/api.ts'
import { distinctUsers, useUserWords } from '../parts/user-list.tsx'

/** Reasons with a text of their own; other reasons use the general texts of fields. */
const REASONS = ['taken', 'startsLoop', 'loop', 'role'] as const

const CONTROL = { feature: 'device_control', operation: 'Control' } as const

interface Props {
  old: Peripheral
  close: () => void
}

/** Replaces a device by another: selects the new device, lists the references that move, and reports the result. */
export default function ReplaceDialog({ old, close }: Props) {
  const t = useT()
  const { HomeID, PeripheralUID: Old, PeripheralType, PeripheralName } = old
  const mayControl = useMay(CONTROL.feature, CONTROL.operation)
  const rooms = useHomes()?.find((home) => home.HomeID === HomeID)?.RoomList ?? []
  const devices = useDevices(HomeID).data?.Peripherals
  const [New, setNew] = useState<string>()
  const [moved, setMoved] = useState<MovedCounts>()
  const replacing = useAction(automations.replacePeripheral, { feedback: 'both' })
  const offeredDevices = devices?.filter(
    (device) => device.PeripheralType === PeripheralType && device.PeripheralUID !== Old,
  )
  const reasonOf = (reason: string): string => {
    const knownReason = REASONS.find((candidate) => candidate === reason)
    return knownReason ? t(`automation:replace.refused.${knownReason}`) : describeField(reason)
  }
  const replacement = offeredDevices?.find(({ PeripheralUID }) => PeripheralUID === New)
  const refused = replacing.refused['New'] ?? replacing.refused['Old']
  const submit = async () => {
    if (!replacement) return
    const results = await replacing.run({ HomeID, Old, New: replacement.PeripheralUID })
    if (results) setMoved(results)
  }
  if (moved && replacement)
    return (
      <Modal
        open
        title={t('automation:replace.done', { old: PeripheralName, name: replacement.PeripheralName })}
        okText={t('screens:close')}
        onOk={close}
        onCancel={close}
        cancelButtonProps={{ style: { display: 'none' } }}
      >
        <ReplacedReferences counts={moved} />
        <p>{t('automation:replace.stays', { old: PeripheralName })}</p>
        <Link
          to={`${pathTo('DeviceList', { HomeID })}?device=${encodeURIComponent(replacement.PeripheralUID)}`}
        >
          {t('automation:replace.open', { name: replacement.PeripheralName })}
        </Link>
      </Modal>
    )
  return (
    <Modal
      open
      title={t('automation:replace.title', { old: PeripheralName })}
      okText={t('automation:replace.ok')}
      okButtonProps={{ disabled: !replacement || !mayControl }}
      confirmLoading={replacing.busy}
      cancelText={t('screens:cancel')}
      onOk={() => void submit()}
      onCancel={close}
    >
      <div className={page.stack}>
        {!mayControl && <MissingRight right={CONTROL} />}
        {!offeredDevices ? (
          <ListSkeleton rows={2} />
        ) : offeredDevices.length === 0 ? (
          <p className={page.note}>{t('automation:replace.none')}</p>
        ) : (
          <Form layout="vertical" component="div">
            <Form.Item
              style={{ marginBottom: 0 }}
              label={t('automation:replace.new')}
              extra={t('automation:replace.hint')}
              validateStatus={refused ? 'error' : ''}
              help={refused && reasonOf(refused)}
            >
              <Select
                showSearch
                filterOption={holdsLabel}
                aria-label={t('automation:replace.new')}
                placeholder={t('automation:replace.choose')}
                value={New ?? null}
                options={rooms
                  .map(({ RoomID, RoomName }) => ({
                    label: RoomName,
                    options: offeredDevices
                      .filter((device) => device.RoomID === RoomID)
                      .map((device) => ({ value: device.PeripheralUID, label: device.PeripheralName })),
                  }))
                  .filter(({ options }) => options.length > 0)}
                onChange={(uid) => {
                  replacing.reset()
                  setNew(uid ?? undefined)
                }}
              />
            </Form.Item>
          </Form>
        )}
        <WhatMoves HomeID={HomeID} uid={Old} />
        {replacing.failure !== undefined && (
          <Alert showIcon type="error" role="alert" message={describeFailure(replacing.failure)} />
        )}
      </div>
    </Modal>
  )
}

type MovedCounts = ResultsOf<typeof automations.replacePeripheral>

/** Numbers of groups, scenes and automations that now reference the new device, or that there were none. */
function ReplacedReferences({ counts }: { counts: MovedCounts }) {
  const t = useT()
  const movedKinds = (Object.keys(counts) as (keyof MovedCounts)[]).filter((key) => counts[key] > 0)
  if (movedKinds.length === 0) return <p role="status">{t('automation:replace.nothingMoved')}</p>
  return (
    <div role="status">
      <p>{t('automation:replace.moved')}</p>
      <ul>
        {movedKinds.map((key) => (
          <li key={key}>{t(`automation:replace.counts.${key}`, { count: counts[key] })}</li>
        ))}
      </ul>
    </div>
  )
}

/** Groups, scenes and automations whose reference to the device will move. */
function WhatMoves({ HomeID, uid }: { HomeID: string; uid: string }) {
  const t = useT()
  const wordsOf = useUserWords()
  const { data, error, refetch } = useQuery(
    callQuery(calls.listUsedBy, { HomeID, Subject: 'device', ID: uid }),
  )
  if (error && !data) return <LoadFailed error={error} retry={() => void refetch()} />
  if (!data) return <p role="status">{t('automation:usedBy.loading')}</p>
  const rows = distinctUsers(data.Rows).filter(({ Via }) => Via === undefined)
  return (
    <section aria-label={t('automation:replace.moves')}>
      <strong>{t('automation:replace.moves')}</strong>
      {rows.length + data.Hidden === 0 ? (
        <p className={page.note}>{t('automation:replace.nothing')}</p>
      ) : (
        <ul>
          {rows.map((row) => (
            <li key={`${row.Kind} ${row.ID}`}>{wordsOf(row)}</li>
          ))}
          {data.Hidden > 0 && <li>{t('automation:usedBy.hidden', { count: data.Hidden })}</li>}
        </ul>
      )}
    </section>
  )
}
