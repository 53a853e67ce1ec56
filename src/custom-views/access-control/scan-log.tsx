import { useQuery } from '@tanstack/react-query'
import type { FC } from 'react'
import { accessControl, PERSON_KINDS, type ScanEvent } from '../../../contract/access-control/calls.ts'
import { scanner } from '../../../contract/access-control/scanner.ts'
import { isolated } from '../../../contract/kernel/text.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import page from '../../ui/page/page.module.css'
import { barChoice } from '../../ui/filter-bar/bar-choice.tsx'
import { barDays } from '../../ui/filter-bar/bar-days.tsx'
import { daySpanOf } from '../../ui/inputs/days.ts'
import { useFormatWhen, useZone } from '../../ui/page/format-when.ts'
import { CallList } from '../../record-kit/list/call-list.tsx'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { oneOf, useAddress } from '../../ui/page/use-address.ts'
import { ListViews } from '../../record-kit/views/list-views.tsx'

const RESULTS = ['allowed', 'denied'] as const

export const ScanLog: FC = () => {
  const t = useT()
  const zone = useZone()
  const { when } = useFormatWhen()
  const { get, change } = useAddress()
  const { data: scanners = [] } = useQuery(callQuery(scanner.operations.list, {}))
  const kind = oneOf(PERSON_KINDS, get('kind'))
  const result = oneOf(RESULTS, get('result'))
  const ThingName = scanners.find((candidate) => candidate.ThingName === get('scanner'))?.ThingName
  const input = {
    Search: get('q').slice(0, 100),
    ...daySpanOf(get('from'), get('to'), zone),
    ...(ThingName && { ThingName }),
    ...(kind && { PersonKind: kind }),
    ...(result && { Allow: result === 'allowed' }),
  }
  const filtered = Object.keys(input).length > 1 || input.Search !== ''
  const clear = () =>
    change({
      q: undefined,
      from: undefined,
      to: undefined,
      scanner: undefined,
      kind: undefined,
      result: undefined,
    })
  const kindWords = (text: string) => {
    const knownKind = oneOf(PERSON_KINDS, text)
    return knownKind && t(`access:kinds.${knownKind}`)
  }
  const resultWords = (text: string) =>
    text && t(text === 'allowed' ? 'access:log.allowed' : 'access:log.denied')
  const resultOf = (row: ScanEvent) =>
    row.Allow
      ? t(row.Movement === 'out' ? 'access:log.out' : 'access:log.in')
      : t(`access:denials.${row.Reason ?? 'unknown'}`)
  const nameOf = (row: ScanEvent) =>
    row.PersonName ?? t(row.PersonKind === null ? 'access:log.nobody' : 'access:gone')

  return (
    <CallList
      isEmbedded
      endpoint={accessControl.listScanEvent}
      input={input}
      keyOf={(row) => String(row.ScanEventID)}
      title={t('access:tabs.log')}
      filtered={filtered}
      clear={clear}
      empty={t('access:log.empty')}
      renderCompact={(row) => ({
        name: nameOf(row),
        aside: <StateTag tone={row.Allow ? 'good' : 'alarm'}>{resultOf(row)}</StateTag>,
        facts: [
          when(row.Timestamp),
          isolated(row.ScannerName ?? t('access:gone')),
          t(`access:credentials.${row.Type}`),
          kindWords(row.PersonKind ?? ''),
        ]
          .filter(Boolean)
          .join(' · '),
      })}
      views={
        <ListViews
          list="scan"
          describe={(of) => [
            scanners.find((candidate) => candidate.ThingName === of('scanner'))?.ScannerName,
            kindWords(of('kind')),
            resultWords(of('result')),
          ]}
        />
      }
      exports={{
        requiredRight: { feature: 'access_control_scanner', operation: 'Export' },
        columns: [
          { title: t('access:log.time'), at: (row) => row.Timestamp },
          { title: t('access:log.person'), of: nameOf },
          { title: t('access:log.kind'), of: (row) => row.PersonKind && t(`access:kinds.${row.PersonKind}`) },
          { title: t('access:log.scanner'), of: (row) => row.ScannerName ?? t('access:gone') },
          { title: t('access:log.credential'), of: (row) => t(`access:credentials.${row.Type}`) },
          { title: t('access:log.result'), of: resultOf },
        ],
      }}
      bar={{
        leading: <SearchBox value={get('q')} label={t('access:log.search')} search={(q) => change({ q })} />,
        filters: [
          barDays({ label: t('access:period'), from: get('from'), to: get('to'), change }),
          barChoice({
            key: 'scanner',
            value: ThingName,
            placeholder: t('access:log.anyScanner'),
            label: t('access:log.scanner'),
            options: scanners.map((candidate) => ({
              value: candidate.ThingName,
              label: candidate.ScannerName,
            })),
            onChange: (next) => change({ scanner: next }),
          }),
          barChoice({
            key: 'kind',
            value: kind,
            placeholder: t('access:log.anyone'),
            label: t('access:log.kind'),
            options: PERSON_KINDS.map((value) => ({ value, label: t(`access:kinds.${value}`) })),
            onChange: (next) => change({ kind: next }),
          }),
          barChoice({
            key: 'result',
            value: result,
            placeholder: t('access:log.anyResult'),
            label: t('access:log.result'),
            options: RESULTS.map((value) => ({ value, label: t(`access:log.${value}`) })),
            onChange: (next) => change({ result: next }),
          }),
        ],
      }}
      columns={[
        {
          key: 'time',
          title: t('access:log.time'),
          render: (row) => <span className={page.numbers}>{when(row.Timestamp)}</span>,
        },
        { key: 'person', title: t('access:log.person'), render: nameOf },
        {
          key: 'kind',
          title: t('access:log.kind'),
          render: (row) => (row.PersonKind ? t(`access:kinds.${row.PersonKind}`) : '–'),
        },
        {
          key: 'scanner',
          title: t('access:log.scanner'),
          render: (row) => row.ScannerName ?? t('access:gone'),
        },
        {
          key: 'credential',
          title: t('access:log.credential'),
          render: (row) => t(`access:credentials.${row.Type}`),
        },
        {
          key: 'result',
          title: t('access:log.result'),
          render: (row) => <StateTag tone={row.Allow ? 'good' : 'alarm'}>{resultOf(row)}</StateTag>,
        },
      ]}
    />
  )
}
