import type { FC } from 'react'
import { sheddings, type Shedding } from '../../../contract/automation/shedding-calls.ts'
import { formatPower } from '../../lib/format-power.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { CallList } from '../../record-kit/list/call-list.tsx'
import type { TitledColumn } from '../../record-kit/list/column.ts'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'
import { useAlarmWords } from '../alarms/use-alarm-words.ts'
import { RunButton } from '../../domain/automation/runs/run-button.tsx'
import { GuardSummary } from './guard-summary.tsx'
import { useQuery } from '@tanstack/react-query'
import { group } from '../../../contract/automation/group.ts'
import { callQuery } from '../../data/api.ts'
import { useDevices } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'

const TONES: Readonly<Record<Shedding['State'], Tone>> = {
  sent: 'on',
  off: 'warning',
  failed: 'alarm',
  givenBack: 'good',
}
const keyOf = ({ SheddingID }: Shedding) => SheddingID

/** Contract guards of a home: state, avoided peaks, and the loads that they shed. */
export const GuardTab: FC<{ HomeID: string }> = ({ HomeID }) => {
  const t = useT()
  const nameOf = useLoadName(HomeID)
  return (
    <CallList
      isEmbedded
      endpoint={sheddings.listShedding}
      input={{ HomeID }}
      keyOf={keyOf}
      title={t('alarms:guard.title')}
      filtered={false}
      clear={() => {}}
      filters={null}
      note={<GuardSummary HomeID={HomeID} />}
      columns={useSheddingColumns(HomeID, nameOf)}
      renderActions={(row) => <RunButton small HomeID={HomeID} name={nameOf(row)} runId={row.RunID} />}
      actionsWidth={56}
      empty={t('alarms:guard.empty')}
    />
  )
}

function useSheddingColumns(HomeID: string, nameOf: (row: Shedding) => string): TitledColumn<Shedding>[] {
  const t = useT()
  const { at } = useAlarmWords(HomeID)
  return [
    { key: 'load', title: t('alarms:guard.load'), width: 130, text: nameOf },
    {
      key: 'state',
      title: t('alarms:guard.state'),
      width: 120,
      render: ({ State }) => <StateTag tone={TONES[State]}>{t(`alarms:guard.loadStates.${State}`)}</StateTag>,
    },
    {
      key: 'power',
      title: t('alarms:guard.power'),
      width: 96,
      text: ({ Kw }) =>
        Kw === null ? t('alarms:guard.unknown') : t('alarms:guard.kw', { kw: formatPower(Kw) }),
    },
    { key: 'shedAt', title: t('alarms:guard.shedAt'), width: 160, text: ({ ShedAt }) => at(ShedAt) },
    {
      key: 'confirmedAfter',
      title: t('alarms:guard.confirmedAfter'),
      width: 96,
      text: ({ ShedAt, ConfirmedAt }) =>
        ConfirmedAt === null
          ? t('alarms:guard.notYet')
          : t('alarms:guard.seconds', { count: Math.max(1, Math.round((ConfirmedAt - ShedAt) / 1000)) }),
    },
    {
      key: 'givenBackAt',
      title: t('alarms:guard.givenBackAt'),
      width: 160,
      text: ({ GivenBackAt }) => (GivenBackAt === null ? t('alarms:guard.notYet') : at(GivenBackAt)),
    },
    {
      key: 'reason',
      title: t('alarms:guard.reason'),
      width: 140,
      text: ({ Forecast, Target }) =>
        t('alarms:guard.pair', { forecast: formatPower(Forecast), target: formatPower(Target) }),
    },
  ]
}

/** Name of a shed device or group; its id if it was deleted. */
function useLoadName(HomeID: string): (load: Pick<Shedding, 'PeripheralUID' | 'GroupID'>) => string {
  const devices = useDevices(HomeID).data?.Peripherals
  const mayReadGroups = useMay('group', 'Read')
  const groups = useQuery({
    ...callQuery(group.operations.list, { HomeID }),
    enabled: mayReadGroups,
  }).data
  return ({ PeripheralUID, GroupID }) =>
    devices?.find((device) => device.PeripheralUID === PeripheralUID)?.PeripheralName ??
    groups?.find((one) => one.GroupID === GroupID)?.GroupName ??
    PeripheralUID ??
    GroupID ??
    ''
}
