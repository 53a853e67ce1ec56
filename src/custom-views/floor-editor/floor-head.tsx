import { DeleteOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { Button, Form, Input, InputNumber } from 'antd'
import { useNavigate } from 'react-router'
import { floor, type Floor } from '../../../contract/homes/floor.ts'
import { call } from '../../data/api.ts'
import { describeField } from '../../data/failure.ts'
import { useMay } from '../../data/session.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { confirmRemoval } from '../../ui/page/confirm-removal.tsx'
import page from '../../ui/page/page.module.css'
import type { FloorForm } from './use-floor-form.ts'

/** Maximum length of a floor's name; minimum and maximum of its order. */
const MAX_NAME_LENGTH = 64
const [MIN_ORDER, MAX_ORDER] = [-999, 999]

interface Props {
  record: Floor
  form: FloorForm
  isWrong: boolean
}

export function FloorHead({ record, form, isWrong }: Props) {
  const t = useT()
  const navigate = useNavigate()
  const mayDelete = useMay('room', 'Delete')
  const { HomeID, FloorID } = record
  const remove = () =>
    confirmRemoval({
      name: record.FloorName,
      consequence: t('floorEditor:consequence'),
      remove: async () => {
        await call(floor.operations.remove, { HomeID, FloorID })
        form.discardUndo()
        void navigate(pathTo('Building', { HomeID }))
      },
    })
  const nameFault = form.refused['FloorName'] ?? (form.FloorName.trim() === '' ? 'required' : undefined)
  const isBlocked = isWrong || nameFault !== undefined || form.tracked.conflicting.length > 0
  return (
    <div className={page.spread}>
      <Form layout="inline" component="div">
        <Form.Item
          label={t('resources:floor.fields.FloorName')}
          htmlFor="floor-name"
          {...(nameFault && { validateStatus: 'error', help: describeField(nameFault, 'FloorName') })}
        >
          <Input
            id="floor-name"
            maxLength={MAX_NAME_LENGTH}
            value={form.FloorName}
            onChange={({ target }) => form.setFields({ FloorName: target.value })}
          />
        </Form.Item>
        <Form.Item
          label={t('resources:floor.fields.Order')}
          htmlFor="floor-order"
          tooltip={t('floorEditor:orderHint')}
        >
          <InputNumber
            id="floor-order"
            min={MIN_ORDER}
            max={MAX_ORDER}
            precision={0}
            value={form.Order}
            onChange={(value) => value !== null && form.setFields({ Order: value })}
          />
        </Form.Item>
      </Form>
      <div className={page.buttons}>
        <Button icon={<UndoOutlined />} disabled={!form.canUndo} onClick={form.undo}>
          {t('floorEditor:undo')}
        </Button>
        <Button icon={<RedoOutlined />} disabled={!form.canRedo} onClick={form.redo}>
          {t('floorEditor:redo')}
        </Button>
        {mayDelete && (
          <Button danger icon={<DeleteOutlined />} onClick={remove}>
            {t('floorEditor:deleteFloor')}
          </Button>
        )}
        <Button
          type="primary"
          loading={form.busy}
          disabled={!form.isDirty || isBlocked}
          onClick={() => void form.save()}
        >
          {t('screens:save')}
        </Button>
      </div>
    </div>
  )
}
