import { useQuery } from '@tanstack/react-query'
import { RightOutlined } from '@ant-design/icons'
import { useState, useCallback, type FC } from 'react'
import { audit, type AuditRow } from '../../../contract/people/audit-calls.ts'
import { isolated } from '../../../contract/kernel/text.ts'
import { callQuery } from '../../data/api.ts'
import { useT, hasText } from '../../lib/i18n/i18n.ts'
import { barChoice } from '../../ui/filter-bar/bar-choice.tsx'
import { barDays } from '../../ui/filter-bar/bar-days.tsx'
import { daySpanOf } from '../../ui/inputs/days.ts'
import { useFormatWhen, useZone } from '../../ui/page/format-when.ts'
import { CallList } from '../../record-kit/list/call-list.tsx'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { useAddress } from '../../ui/page/use-address.ts'
import { ListViews } from '../../record-kit/views/list-views.tsx'
import page from '../../ui/page/page.module.css'
import { recordName, changedFields, useAuditFieldWords, useAuditValueWords } from './audit-words.ts'
import { Drawer } from '../../ui/page/dialog.tsx'
import { resources } from '../../../contract/index.ts'
import styles from './audit.module.css'
import { IconButton } from '../../ui/page/icon-button.tsx'

/** Details of a log row: its fields before and after; changes are marked by more than color. */
export const Changes: FC<{ row: AuditRow }> = ({ row }) => {
  const t = useT()
  const { fullWhen } = useFormatWhen()
  const wordsOf = useAuditFieldWords()
  const textOf = useAuditValueWords()
  const fields = changedFields(row)
  return (
    <>
      <dl className={`${page.facts} ${page.below16}`}>
        <dt>{t('audit:person')}</dt>
        <dd>{row.ByName}</dd>
        <dt>{t('audit:time')}</dt>
        <dd>{fullWhen(row.At)}</dd>
        <dt>{t('audit:from')}</dt>
        <dd>{row.Ip}</dd>
        <dt>{t('audit:call')}</dt>
        <dd>{row.Path}</dd>
        <dt>{t('audit:request')}</dt>
        <dd>{row.RequestId}</dd>
      </dl>
      {fields.length === 0 ? (
        <p className={page.muted}>{t('audit:nothingMore')}</p>
      ) : (
        <table className={`${page.table} ${styles.changes}`}>
          <thead>
            <tr>
              <th scope="col">{t('audit:field')}</th>
              <th scope="col">{t('audit:before')}</th>
              <th scope="col">{t('audit:after')}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ field, before, after, changed }) => (
              <tr key={field} className={changed ? styles.changed : ''}>
                <th scope="row">
                  {wordsOf(field) ?? field}
                  {wordsOf(field) !== undefined && <small>{field}</small>}
                </th>
                <td>{textOf(field, before) ?? '–'}</td>
                <td>{textOf(field, after) ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

/** Record type by the path of a call. */
const recordOf = new Map(
  Object.entries(resources).flatMap(([name, { operations }]) =>
    Object.values(operations).map(({ path }) => [path as string, name] as const),
  ),
)

/** Text for a call; a call that no longer exists is shown by its name. */
function useCallWords(): (path: string) => string {
  const t = useT()
  return useCallback(
    (path) => {
      const call = path.slice(1)
      const keys = [`audit:calls.${call}`, `resources:${recordOf.get(path)}.calls.${call}`]
      const key = keys.find(hasText)
      return key ? t(key) : path
    },
    [t],
  )
}

/** Audit log: who changed what, when and from where; each row opens with the values before and after. */
export default function AuditPage() {
  const t = useT()
  const zone = useZone()
  const { when } = useFormatWhen()
  const { get, change } = useAddress()
  const wordsOf = useCallWords()
  const [open, setOpen] = useState<AuditRow>()
  const { data: choice } = useQuery(callQuery(audit.listAuditChoice, {}))
  const person = choice?.People.find(({ CognitoId }) => CognitoId === get('by'))?.CognitoId
  const path = choice?.Paths.find((candidate) => candidate === get('call'))
  const input = {
    Search: get('q').slice(0, 100),
    ...daySpanOf(get('from'), get('to'), zone),
    ...(person && { CognitoId: person }),
    ...(path && { Path: path }),
  }
  const filtered = Object.keys(input).length > 1 || input.Search !== ''
  const clear = () => change({ q: undefined, from: undefined, to: undefined, by: undefined, call: undefined })

  const recordOf = (row: AuditRow): string => {
    const { name = '', moreCount = 0 } = recordName(row) ?? {}
    return moreCount > 0 ? t('audit:andMore', { name, rest: moreCount }) : name
  }

  return (
    <>
      <CallList
        endpoint={audit.listAuditLog}
        input={input}
        keyOf={(row) => String(row.AuditID)}
        title={t('audit:title')}
        filtered={filtered}
        clear={clear}
        empty={t('audit:empty')}
        open={setOpen}
        renderCompact={(row) => ({
          name: [wordsOf(row.Path), isolated(recordOf(row))].filter(Boolean).join(' · '),
          facts: [isolated(row.ByName), when(row.At), row.Ip].filter(Boolean).join(' · '),
        })}
        menu={{
          nameOf: (row) => `${wordsOf(row.Path)} ${recordOf(row)}`,
          render: (row) => (
            <IconButton icon={<RightOutlined />} label={t('audit:details')} onPress={() => setOpen(row)} />
          ),
        }}
        views={
          <ListViews
            list="audit"
            describe={(of) => [
              choice?.People.find(({ CognitoId }) => CognitoId === of('by'))?.ByName,
              of('call') && wordsOf(of('call')),
            ]}
          />
        }
        exports={{
          requiredRight: { feature: 'company', operation: 'Export' },
          columns: [
            { title: t('audit:time'), at: (row) => row.At },
            { title: t('audit:person'), of: (row) => row.ByName },
            { title: t('audit:action'), of: (row) => wordsOf(row.Path) },
            { title: t('audit:record'), of: recordOf },
            { title: t('audit:from'), of: (row) => row.Ip },
            { title: t('audit:request'), of: (row) => row.RequestId },
            { title: t('audit:before'), of: (row) => JSON.stringify(row.Before) },
            { title: t('audit:after'), of: (row) => JSON.stringify(row.After ?? row.Input) },
          ],
        }}
        bar={{
          leading: <SearchBox value={get('q')} label={t('audit:search')} search={(q) => change({ q })} />,
          filters: [
            barDays({ label: t('audit:period'), from: get('from'), to: get('to'), change }),
            barChoice({
              key: 'by',
              value: person ?? undefined,
              label: t('audit:person'),
              placeholder: t('audit:anyone'),
              options: (choice?.People ?? []).flatMap(({ CognitoId, ByName }) =>
                CognitoId === null ? [] : [{ value: CognitoId, label: ByName }],
              ),
              onChange: (by) => change({ by }),
            }),
            barChoice({
              key: 'call',
              value: path,
              label: t('audit:action'),
              placeholder: t('audit:anything'),
              options: (choice?.Paths ?? []).map((value) => ({ value, label: wordsOf(value) })),
              onChange: (next) => change({ call: next }),
            }),
          ],
        }}
        columns={[
          { key: 'action', title: t('audit:action'), render: (row) => wordsOf(row.Path) },
          { key: 'record', title: t('audit:record'), width: 200, render: recordOf },
          { key: 'person', title: t('audit:person'), render: (row) => row.ByName },
          {
            key: 'time',
            title: t('audit:time'),
            render: (row) => <span className={page.numbers}>{when(row.At)}</span>,
          },
          {
            key: 'from',
            title: t('audit:from'),
            render: (row) => <span className={page.numbers}>{row.Ip}</span>,
          },
        ]}
      />
      <Drawer
        focusAtFirst="dialog"
        open={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={open && wordsOf(open.Path)}
      >
        {open && <Changes row={open} />}
      </Drawer>
    </>
  )
}
