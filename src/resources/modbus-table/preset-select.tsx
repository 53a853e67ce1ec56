import { Form, Select } from 'antd'
import { useEffect, useState, type FC } from 'react'
import type { ModbusRow } from '../../../contract/devices/modbus/modbus-table.ts'
import type { ModbusPreset } from '../../../contract/devices/modbus/modbus-presets.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { replaceRows } from './replace-rows.ts'
import type { About } from './table-file.ts'
import { holdsLabel } from '../../ui/inputs/holds-label.ts'

interface Props {
  rows: readonly ModbusRow[]
  fill: (about: About, rows: readonly ModbusRow[]) => void
}

/** Fills a new table with the verified registers of a real meter, labelled in the person's language. */
export const PresetSelect: FC<Props> = ({ rows, fill }) => {
  const t = useT()
  const [presets, setPresets] = useState<readonly ModbusPreset[]>([])
  const [chosen, setChosen] = useState<string>()
  useEffect(() => {
    void import('../../../contract/devices/modbus/modbus-presets.ts').then((module) =>
      setPresets(module.MODBUS_PRESETS),
    )
  }, [])

  const use = ({ id, Manufacturer, Model, source, rows: lines }: ModbusPreset) =>
    replaceRows(rows.length, () => {
      setChosen(id)
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
          value={chosen ?? null}
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
