import { Alert, Card, Input, Form, Select } from 'antd'
import { useState, useEffect, type FC } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { ModbusRow, StoredModbusTable } from '../../../contract/devices/modbus/modbus-table.ts'
import { describeField } from '../../data/failure.ts'
import { usePageItem } from '../../data/page-item.ts'
import { callErrorIn } from '../../data/post.ts'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { RecordConflict, changesBetween, type FieldChange } from '../../record-kit/record-conflict.tsx'
import { RecordForm } from '../../record-kit/record-form.tsx'
import { FormActions } from '../../record-kit/form-actions.tsx'
import { OneRecordPage } from '../../record-kit/record-page.tsx'
import { useMayDo } from '../../record-kit/use-may-do.ts'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import { Page } from '../../ui/page/page.tsx'
import { FileTools } from './file-tools.tsx'
import page from '../../ui/page/page.module.css'
import { RowsEditor } from './rows-editor.tsx'
import type { About, RowField } from './table-file.ts'
import type { ModbusPreset } from '../../../contract/devices/modbus/modbus-presets.ts'
import { notices } from '../../data/notices.ts'
import { replaceRows } from './plain-row.ts'
import { holdsLabel } from '../../lib/match-words.ts'

interface Props {
  rows: readonly ModbusRow[]
  fill: (about: About, rows: readonly ModbusRow[]) => void
}

/** Fills a new table with the verified registers of a known meter, labeled in the user's language. */
const PresetSelect: FC<Props> = ({ rows, fill }) => {
  const t = useT()
  const [presets, setPresets] = useState<readonly ModbusPreset[]>([])
  const [presetId, setPresetId] = useState<string>()
  useEffect(() => {
    void import('../../../contract/devices/modbus/modbus-presets.ts').then((module) =>
      setPresets(module.MODBUS_PRESETS),
    )
  }, [])

  const use = ({ id, Manufacturer, Model, source, rows: lines }: ModbusPreset) =>
    replaceRows(rows.length, () => {
      setPresetId(id)
      const name = `${Manufacturer} ${Model}`
      fill(
        { TableName: name, Manufacturer, Model, Note: t('modbus:form.presetNote', { source }) },
        lines.map((line) => ({ ...line, Label: t(`modbus:presets.${line.Key as 'power'}`) })),
      )
      notices.success(() => t('modbus:form.presetDone', { name, count: lines.length }))
    })

  return (
    <Form layout="vertical">
      <Form.Item label={t('modbus:form.preset')} extra={t('modbus:form.presetHint')}>
        <Select
          showSearch
          filterOption={holdsLabel}
          aria-label={t('modbus:form.preset')}
          placeholder={t('resources:modbusTable.fields.Model')}
          value={presetId ?? null}
          options={presets.map(({ id, Manufacturer, Model }) => ({
            value: id,
            label: `${Manufacturer} ${Model}`,
          }))}
          onSelect={(id: string) => {
            const preset = presets.find((one) => one.id === id)
            if (preset) use(preset)
          }}
        />
      </Form.Item>
    </Form>
  )
}

const ABOUT_FIELDS = ['TableName', 'Manufacturer', 'Model', 'Note'] as const

/** Differences between two versions of a table: its fields, and the labels of registers that differ. */
function useTableChanges() {
  const t = useT()
  return (base: StoredModbusTable, remote: StoredModbusTable): FieldChange[] => {
    const about = ABOUT_FIELDS.map((field) => ({
      label: t(`resources:modbusTable.fields.${field}`),
      of: (table: StoredModbusTable) => table[field],
    }))
    const countDifferences = (table: StoredModbusTable, otherTable: StoredModbusTable) => {
      const otherRows = new Set(otherTable.Rows.map((row) => JSON.stringify(row)))
      return table.Rows.filter((row) => !otherRows.has(JSON.stringify(row))).map(({ Label }) => Label)
    }
    const rows = {
      label: t('modbus:form.rows'),
      before: countDifferences(base, remote).join(t('screens:listComma')) || '–',
      remote: countDifferences(remote, base).join(t('screens:listComma')) || '–',
    }
    const sameRows = JSON.stringify(base.Rows) === JSON.stringify(remote.Rows)
    return [...changesBetween(base, remote, about), ...(sameRows ? [] : [rows])]
  }
}

const describeMissing = () => ({
  title: words('modbus:form.notFound'),
  toList: words('resources:modbusTable.list'),
})

export function ModbusTablePage() {
  const { ModbusTableID } = useParams()
  if (ModbusTableID === undefined) return <TableForm key="new" table={undefined} isDeleted={false} />
  return (
    <OneRecordPage
      key={ModbusTableID}
      resource="modbusTable"
      id={{ ModbusTableID }}
      missingTexts={describeMissing}
      list={pathTo('ModbusTableListing')}
    >
      {(table, isDeleted) => <TableForm table={table} isDeleted={isDeleted} />}
    </OneRecordPage>
  )
}

function Faults({ faults }: { faults: readonly string[] }) {
  if (faults.length === 0) return null
  return (
    <Alert
      type="error"
      showIcon
      className={page.below12}
      message={
        <ul className={page.bullets}>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      }
    />
  )
}

function TableForm({ table, isDeleted }: { table: StoredModbusTable | undefined; isDeleted: boolean }) {
  const t = useT()
  const navigate = useNavigate()
  usePageItem(table?.TableName ?? t('resources:modbusTable.create'))
  const changesOf = useTableChanges()
  const mayDo = useMayDo('modbusTable')
  const may = table ? mayDo.update : mayDo.create
  const [rows, setRows] = useState<readonly ModbusRow[]>(table?.Rows ?? [])
  const [faults, setFaults] = useState<readonly string[]>([])
  const list = pathTo('ModbusTableListing')
  const { form, schema, initial, busy, tracked, setDirty, save } = useRecordForm('modbusTable', table, {
    toInput: (values) => ({ ...values, Rows: rows }),
    onWrite: (remote) => {
      setRows((remote as StoredModbusTable).Rows)
      setFaults([])
    },
  })
  const { conflicting, takeRemote, keepLocal } = tracked
  const hasConflict = conflicting.length > 0
  const base = tracked.base as StoredModbusTable | undefined

  const change = (next: readonly ModbusRow[]) => {
    setRows(next)
    setFaults([])
    setDirty(true)
  }
  /** Replaces the rows, and fills in fields of the table that are empty. */
  const fill = (about: About, next: readonly ModbusRow[]) => {
    change(next)
    const values = form.getFieldsValue() as Record<string, unknown>
    form.setFieldsValue(Object.fromEntries(Object.entries(about).filter(([name]) => !values[name])))
  }

  const submit = async (values: Record<string, unknown>) => {
    if (rows.length === 0) return setFaults([t('modbus:form.noRows')])
    try {
      if (await save(values)) void navigate(list)
    } catch (error) {
      setFaults(faultsIn(error, rows))
      throw error
    }
  }

  return (
    <Page title={table?.TableName ?? t('resources:modbusTable.create')}>
      {isDeleted && <Alert showIcon type="error" role="alert" message={t('screens:form.gone')} />}
      {may && base && table && hasConflict && (
        <RecordConflict changes={changesOf(base, table)} takeRemote={takeRemote} keepLocal={keepLocal} />
      )}
      <Card title={t('modbus:form.about')}>
        {!table && <PresetSelect rows={rows} fill={fill} />}
        <RecordForm
          resource="modbusTable"
          schema={schema}
          fields={[
            'TableName',
            'Manufacturer',
            'Model',
            {
              name: 'Note',
              isWide: true,
              input: <Input.TextArea autoSize={{ minRows: 1, maxRows: 6 }} maxLength={1000} />,
            },
          ]}
          form={form}
          columns
          initial={initial ?? { Manufacturer: '', Model: '', Note: '' }}
          submit={submit}
          onDirty={setDirty}
        />
      </Card>
      <Card className={page.above16}>
        <Faults faults={faults} />
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
      <FormActions
        cancel={() => void navigate(list)}
        save={() => form.submit()}
        busy={busy}
        disabled={!may || isDeleted || hasConflict}
      />
    </Page>
  )
}

/** Errors of rows, each with its position and label. */
function faultsIn(error: unknown, rows: readonly ModbusRow[]): string[] {
  const inRows = Object.entries(callErrorIn(error)?.fields ?? {}).filter(([path]) => path.startsWith('Rows.'))
  return inRows.map(([path, reason]) => {
    const [, index = '0', field = 'Key'] = path.split('.')
    return words('modbus:form.rowFault', {
      row: Number(index) + 1,
      label: rows[Number(index)]?.Label ?? '',
      field: words(`modbus:fields.${field as RowField}`),
      reason: describeField(reason),
    })
  })
}
