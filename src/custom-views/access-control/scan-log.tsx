import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import type { FC } from 'react'
import { accessControl, PERSON_KINDS, type ScanEvent } from '../../../contract/procedures/access-control.ts'
import { scanner } from '../../../contract/resources/scanner.ts'
import { isolated } from '../../../contract/rules/isolated.ts'
import { call, callKey, callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import page from '../../ui/page/page.module.css'
import { ListExport } from '../../record-kit/export/list-export.tsx'
import { DaysFilter } from '../../ui/inputs/days-filter.tsx'
import { spanOf } from '../../ui/inputs/days.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import { PagedList } from '../../record-kit/paged-list/paged-list.tsx'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { oneOf, useAddress } from '../../ui/page/use-address.ts'
import { useZone } from '../../ui/page/use-zone.ts'
import { ListViews } from '../../record-kit/views/list-views.tsx'

/** What scanners saw and decided, filtered, and as a file. */
export const ScanLog: FC = () => {
  const t = useT()
  const zone = useZone()
  const { when } = useFormatWhen()
  const { get, change } = useAddress()
  const { data: scanners = [] } = useQuery(callQuery(scanner.operations.list, {}))
  const kind = oneOf(PERSON_KINDS, get('kind'))
  const result = oneOf(['allowed', 'denied'], get('result'))
  const ThingName = scanners.find((one) => one.ThingName === get('scanner'))?.ThingName
  const input = {
    Search: get('q').slice(0, 100),
    ...spanOf(get('from'), get('to'), zone),
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
  const kindWords = (given: string) => {
    const known = oneOf(PERSON_KINDS, given)
    return known && t(`access:kinds.${known}`)
  }
  const resultWords = (given: string) =>
    given && t(given === 'allowed' ? 'access:log.allowed' : 'access:log.denied')
  const resultOf = (row: ScanEvent) =>
    row.Allow
      ? t(row.Movement === 'out' ? 'access:log.out' : 'access:log.in')
      : t(`access:denials.${row.Reason ?? 'unknown'}`)
  const nameOf = (row: ScanEvent) =>
    row.PersonName ?? t(row.PersonKind === null ? 'access:log.nobody' : 'access:gone')

  return (
    <div className={page.page}>
      <PagedList<ScanEvent>
        queryKey={callKey(accessControl.listScanEvent, input)}
        load={(asked, signal) => call(accessControl.listScanEvent, { ...input, ...asked }, { signal })}
        label={t('access:tabs.log')}
        rowKey={(row) => String(row.ScanEventID)}
        filtered={filtered}
        clear={clear}
        empty={t('access:log.empty')}
        renderCompact={(row) => ({
          head: (
            <>
              <span>{nameOf(row)}</span>
              <StateTag tone={row.Allow ? 'good' : 'alarm'}>{resultOf(row)}</StateTag>
            </>
          ),
          foot: [
            when(row.Timestamp),
            isolated(row.ScannerName ?? t('access:gone')),
            t(`access:credentials.${row.Type}`),
            kindWords(row.PersonKind ?? ''),
          ]
            .filter(Boolean)
            .join(' · '),
        })}
        renderHead={(total) => (
          <>
            <header className={page.header}>
              <h2>{t('access:tabs.log')}</h2>
              {total !== undefined && (
                <span className={page.count}>{t('screens:list.count', { count: total })}</span>
              )}
              <div className={page.tools}>
                <ListViews
                  list="scan"
                  inWords={(of) => [
                    scanners.find((one) => one.ThingName === of('scanner'))?.ScannerName,
                    kindWords(of('kind')),
                    resultWords(of('result')),
                  ]}
                />
                <ListExport<ScanEvent>
                  name={t('access:tabs.log')}
                  right={{ feature: 'access_control_scanner', operation: 'Export' }}
                  total={total}
                  rows={(Cursor, signal) =>
                    call(
                      accessControl.listScanEvent,
                      { ...input, Limit: 500, ...(Cursor && { Cursor }) },
                      { signal },
                    )
                  }
                  columns={[
                    { title: t('access:log.time'), at: (row) => row.Timestamp },
                    { title: t('access:log.person'), of: nameOf },
                    {
                      title: t('access:log.kind'),
                      of: (row) => row.PersonKind && t(`access:kinds.${row.PersonKind}`),
                    },
                    { title: t('access:log.scanner'), of: (row) => row.ScannerName ?? t('access:gone') },
                    { title: t('access:log.credential'), of: (row) => t(`access:credentials.${row.Type}`) },
                    { title: t('access:log.result'), of: resultOf },
                  ]}
                />
              </div>
            </header>
            <div className={page.filters}>
              <SearchBox value={get('q')} label={t('access:log.search')} search={(q) => change({ q })} />
              <DaysFilter label={t('access:period')} from={get('from')} to={get('to')} change={change} />
              <Select
                allowClear
                className={page.choice}
                value={ThingName ?? null}
                placeholder={t('access:log.anyScanner')}
                aria-label={t('access:log.scanner')}
                onChange={(next: string | undefined) => change({ scanner: next })}
                options={scanners.map((one) => ({ value: one.ThingName, label: one.ScannerName }))}
              />
              <Select
                allowClear
                className={page.choice}
                value={kind ?? null}
                placeholder={t('access:log.anyone')}
                aria-label={t('access:log.kind')}
                onChange={(next: string | undefined) => change({ kind: next })}
                options={PERSON_KINDS.map((value) => ({ value, label: t(`access:kinds.${value}`) }))}
              />
              <Select
                allowClear
                className={page.choice}
                value={result ?? null}
                placeholder={t('access:log.anyResult')}
                aria-label={t('access:log.result')}
                onChange={(next: string | undefined) => change({ result: next })}
                options={[
                  { value: 'allowed', label: t('access:log.allowed') },
                  { value: 'denied', label: t('access:log.denied') },
                ]}
              />
            </div>
          </>
        )}
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
    </div>
  )
}
