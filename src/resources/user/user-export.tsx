import { DownloadOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useState, type FC } from 'react'
import { people, type UserRow } from '../../../contract/procedures/people.ts'
import { saveBlob, saveFile } from '../../lib/save-file.ts'
import { call, type SentOf } from '../../providers/api.ts'
import { describeFailure } from '../../providers/failure.ts'
import { useT } from '../../providers/i18n.ts'
import { notices } from '../../providers/notices.ts'
import { useMay } from '../../providers/session.ts'
import { csvOfLines } from '../../ui/paged-list/csv-of-lines.ts'

type Filter = SentOf<typeof people.listUserPage>
const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Everybody that the filters let through, page by page. */
async function everybody(filter: Filter): Promise<UserRow[]> {
  const rows: UserRow[] = []
  let Cursor: string | null = null
  do {
    const page: { Rows: UserRow[]; NextCursor: string | null } = await call(people.listUserPage, {
      ...filter,
      Limit: 500,
      ...(Cursor !== null && { Cursor }),
    })
    rows.push(...page.Rows)
    Cursor = page.NextCursor
  } while (Cursor !== null)
  return rows
}

/** The list as a file, filtered and sorted as it is shown. Texts stay texts: nothing in a cell is calculated. */
export const UserExport: FC<{ filter: Filter }> = ({ filter }) => {
  const t = useT()
  const may = useMay('user', 'Export')
  const [busy, setBusy] = useState(false)
  if (!may) return null
  const save = async (format: string) => {
    setBusy(true)
    try {
      const lines = [
        [
          t('resources:user.fields.Email'),
          t('resources:user.fields.LastName'),
          t('resources:user.fields.FirstName'),
          t('resources:user.fields.nickname'),
          t('resources:user.fields.DepartmentID'),
          t('resources:user.fields.rank'),
          t('resources:user.fields.enabled'),
        ],
        ...(await everybody(filter)).map((row) => [
          row.Email,
          row.LastName,
          row.FirstName,
          row.nickname,
          row.Department ?? '',
          String(row.rank),
          t(row.enabled ? 'resources:user.on' : 'resources:user.off'),
        ]),
      ]
      const name = t('resources:user.list')
      if (format === 'csv') return saveFile(`${name}.csv`, csvOfLines(lines), 'text/csv;charset=utf-8')
      const XLSX = await import('xlsx')
      const book = XLSX.utils.book_new(XLSX.utils.aoa_to_sheet(lines), name)
      saveBlob(
        `${name}.xlsx`,
        new Blob([XLSX.write(book, { type: 'array', compression: true })], { type: XLSX_TYPE }),
      )
    } catch (error) {
      notices.error(() => describeFailure(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          { key: 'csv', label: 'CSV' },
          { key: 'xlsx', label: 'XLSX' },
        ],
        onClick: ({ key }) => void save(key),
      }}
    >
      <Button icon={<DownloadOutlined />} loading={busy}>
        {t('people:list.export')}
      </Button>
    </Dropdown>
  )
}
