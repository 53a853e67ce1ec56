import { useCan } from '@refinedev/core'
import { Alert, Button, Card, Input } from 'antd'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import {
  modbusTable,
  type ModbusRow,
  type StoredModbusTable,
} from '../../../contract/resources/modbus-table.ts'
import { pathTo } from '../../paths.ts'
import { describeField } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { usePageItem } from '../../data/page-item.ts'
import { callErrorIn } from '../../data/post.ts'
import crud from '../../record-kit/crud.module.css'
import { RecordConflict } from '../../record-kit/record-conflict.tsx'
import { RecordForm } from '../../record-kit/record-form.tsx'
import { ListSkeleton, LoadFailed, Nothing } from '../../ui/page/states.tsx'
import { useBase } from '../../record-kit/use-base.ts'
import { useLeaveGuard } from '../../ui/page/use-leave-guard.ts'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import { FileTools } from './file-tools.tsx'
import styles from './modbus-table.module.css'
import { PresetSelect } from './preset-select.tsx'
import { RowsEditor } from './rows-editor.tsx'
import type { About, RowField } from './table-file.ts'
import { useTableChanges } from './use-table-changes.ts'
import { useModbusTables } from '../../domain/modbus-table/use-modbus-tables.ts'

/** Adds a Modbus table or changes one. */
export default function ModbusTablePage() {
  const t = useT()
  const { ModbusTableID } = useParams()
  const query = useModbusTables()
  if (ModbusTableID === undefined) return <TableForm key="new" table={undefined} />
  if (!query.data)
    return query.error ? (
      <LoadFailed error={query.error} retry={() => void query.refetch()} />
    ) : (
      <ListSkeleton rows={10} />
    )
  const table = query.data.find((one) => one.ModbusTableID === ModbusTableID)
  return table ? <TableForm key={ModbusTableID} table={table} /> : <Nothing why={t('modbus:form.notFound')} />
}

function TableForm({ table }: { table: StoredModbusTable | undefined }) {
  const t = useT()
  const navigate = useNavigate()
  usePageItem(table?.TableName ?? t('resources:modbusTable.create'))
  const { base, theirs, stand, save: saveOnce } = useBase(table)
  const changesOf = useTableChanges()
  const { form, busy, save } = useRecordForm(modbusTable, base)
  const guard = useLeaveGuard()
  const may = useCan({ resource: modbusTable.name, action: table ? 'edit' : 'create' }).data?.can ?? false
  const [rows, setRows] = useState<readonly ModbusRow[]>(table?.Rows ?? [])
  const [faults, setFaults] = useState<readonly string[]>([])
  const list = pathTo('ModbusTableListing')

  const change = (next: readonly ModbusRow[]) => {
    setRows(next)
    setFaults([])
    guard.setDirty(true)
  }
  /** Takes rows from elsewhere, and what is said of the table where nothing is said yet. */
  const fill = (about: About, next: readonly ModbusRow[]) => {
    change(next)
    const said = form.getFieldsValue() as Record<string, unknown>
    form.setFieldsValue(Object.fromEntries(Object.entries(about).filter(([name]) => !said[name])))
  }

  const submit = async (values: Record<string, unknown>) => {
    if (rows.length === 0) return setFaults([t('modbus:form.noRows')])
    let saved: boolean
    try {
      saved = await saveOnce(() => save({ ...base, ...values, Rows: rows }))
    } catch (error) {
      const inRows = Object.entries(callErrorIn(error)?.fields ?? {}).filter(([path]) =>
        path.startsWith('Rows.'),
      )
      setFaults(
        inRows.map(([path, reason]) => {
          const [, index = '0', field = 'Key'] = path.split('.')
          const label = rows[Number(index)]?.Label ?? ''
          const row = Number(index) + 1
          return t('modbus:form.rowFault', {
            row,
            label,
            field: t(`modbus:fields.${field as RowField}`),
            reason: describeField(reason),
          })
        }),
      )
      throw error
    }
    if (saved) guard.setDirty(false)
    // Somebody else's comes with the answer, and is shown above the form.
    if (saved) void navigate(list)
  }

  return (
    <section className={styles.page}>
      <header className={crud.header}>
        <h1>{table?.TableName ?? t('resources:modbusTable.create')}</h1>
        <div className={crud.tools}>
          <Button onClick={() => void navigate(list)}>{t('screens:cancel')}</Button>
          <Button
            type="primary"
            loading={busy}
            disabled={!may || theirs !== undefined}
            onClick={() => form.submit()}
          >
            {t('screens:save')}
          </Button>
        </div>
      </header>
      {may && base && theirs && (
        <RecordConflict
          changes={changesOf(base, theirs)}
          take={() => {
            form.setFieldsValue({ ...theirs })
            change(theirs.Rows)
            guard.setDirty(false)
            stand(theirs)
          }}
          keep={() => stand(theirs)}
        />
      )}
      <Card title={t('modbus:form.about')}>
        {!table && <PresetSelect rows={rows} fill={fill} />}
        <RecordForm
          resource="modbusTable"
          schema={modbusTable.operations.create.input}
          fields={[
            'TableName',
            'Manufacturer',
            'Model',
            {
              name: 'Note',
              wide: true,
              input: <Input.TextArea autoSize={{ minRows: 1, maxRows: 6 }} maxLength={1000} />,
            },
          ]}
          form={form}
          columns
          initial={table ?? { Manufacturer: '', Model: '', Note: '' }}
          submit={submit}
          onDirty={guard.setDirty}
        />
      </Card>
      <Card className={styles.card}>
        {faults.length > 0 && (
          <Alert
            type="error"
            showIcon
            className={styles.notice}
            message={
              <ul className={styles.problems}>
                {faults.map((fault) => (
                  <li key={fault}>{fault}</li>
                ))}
              </ul>
            }
          />
        )}
        <RowsEditor
          rows={rows}
          onChange={change}
          editable={may}
          tools={
            <FileTools
              editable={may}
              rows={rows}
              table={() => ({
                TableName: '',
                Manufacturer: '',
                Model: '',
                Note: '',
                ...(form.getFieldsValue() as object),
                Rows: [...rows],
              })}
              fill={fill}
            />
          }
        />
      </Card>
    </section>
  )
}
