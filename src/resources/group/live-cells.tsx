import { Button, Space } from 'antd'
import { useEffect, useState } from 'react'
import type { Group } from '../../../contract/resources/group.ts'
import { deviceType } from '../../../contract/device-kinds/registry.ts'
import { describeReason } from '../../custom-views/automation/runs/describe-reason.ts'
import { RunButton } from '../../custom-views/automation/runs/run-button.tsx'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { RowIcon } from '../../domain/device/row-icon.tsx'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import { sendToAll, useHeardRun } from '../../live/live.ts'
import { isOver } from '../../live/runs.ts'
import { SwitchControl } from '../../ui/inputs/switch-control.tsx'
import page from '../../ui/page/page.module.css'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'
import { switchValues, type GroupState } from './group-state.ts'
import { useGroupLive } from './use-group-live.ts'

const TONES: Readonly<Record<GroupState['kind'], Tone>> = {
  allOn: 'on',
  someOn: 'on',
  allOff: 'plain',
  unknown: 'offline',
  reporting: 'plain',
}

/** What a group's devices are like now, with how many. */
export function GroupStateTag({ group }: { group: Group }) {
  const t = useT()
  const { state } = useGroupLive(group)
  const { kind, on, unknown } = state
  const count = group.PeripheralList.length
  return (
    <span className={page.tightRow}>
      <StateTag tone={TONES[kind]}>
        {kind === 'someOn'
          ? t('automation:group.someOn', { on, count })
          : kind === 'reporting'
            ? t('automation:group.reporting', { on: count - unknown, count })
            : t(`automation:group.${kind}`, { count })}
      </StateTag>
      {unknown > 0 && kind !== 'unknown' && (
        <small>{t('automation:group.unknownCount', { count: unknown })}</small>
      )}
    </span>
  )
}

/** What a group is of, with its drawing. */
export function GroupKind({ type }: { type: string }) {
  const t = useT()
  const known = deviceType(type)
  return (
    <span className={page.tightRow}>
      <RowIcon row={{ type: known, device: undefined }} />
      {t(known ? `devices:kinds.${known.kind}` : 'devices:kinds.other')}
    </span>
  )
}

/** Switches a group as one, where its devices can be switched and the person may; it stands where they say they stand. */
export function GroupSwitch({ group }: { group: Group }) {
  const t = useT()
  const may = useMay('device_control', 'Control')
  const { state, status } = useGroupLive(group)
  const [sent, setSent] = useState<{ runId: string; on: 0 | 1 }>()
  const heard = useHeardRun(sent?.runId)
  const over = heard !== undefined && isOver(heard)
  useEffect(() => {
    if (heard && isOver(heard) && heard.State !== 'done')
      notices.error(() =>
        heard.Reason ? describeReason(heard.Reason) : words('automation:group.someFailed'),
      )
    // Told once a run: it ends once.
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies
  }, [over, sent?.runId])
  const values = (on: 0 | 1) => switchValues(group.GroupType, status, on)
  if (!may || !values(1) || group.PeripheralList.length === 0) return null
  const turn = (on: 0 | 1) => {
    const asked = values(on)
    const runId = asked && sendToAll(group.HomeID, { GroupID: group.GroupID }, asked)
    setSent(runId === undefined ? undefined : { runId, on })
  }
  const wanted = sent && !over ? sent.on : undefined
  const isMixed = state.kind === 'someOn' && state.off > 0
  return (
    <span className={page.tightRow}>
      {isMixed && wanted === undefined ? (
        <Space.Compact>
          {([1, 0] as const).map((on) => (
            <Button
              key={on}
              aria-label={t(on ? 'automation:group.turnOn' : 'automation:group.turnOff', {
                name: group.GroupName,
              })}
              onClick={(event) => {
                event.stopPropagation()
                turn(on)
              }}
            >
              {t(on ? 'automation:group.on' : 'automation:group.off')}
            </Button>
          ))}
        </Space.Compact>
      ) : (
        <SwitchControl
          small
          name={t('automation:group.switch', { name: group.GroupName })}
          value={state.kind === 'unknown' ? undefined : state.on > 0 ? 1 : 0}
          wanted={wanted === (state.on > 0 ? 1 : 0) ? undefined : wanted}
          onChange={turn}
        />
      )}
      {over && heard.State !== 'done' && !heard.Reason && sent && (
        <RunButton HomeID={group.HomeID} runId={sent.runId} name={group.GroupName} />
      )}
    </span>
  )
}
