import { Alert, Button } from 'antd'
import { resources, type ResourceName } from '../../contract/index.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { FormConflict } from './form-conflict.tsx'
import { RecordForm } from './record-form.tsx'
import type { AnyRow, RecordOf } from './resource-types.ts'
import { useValueOrHook, type RecordFormSpec } from './screen.ts'
import { useRecordForm } from './use-record-form.ts'
import { Drawer, Modal } from '../ui/page/dialog.tsx'

interface Props<N extends ResourceName> {
  resource: N
  form: RecordFormSpec<N>
  title: string
  /** Current record, or its last state before deletion; undefined for a new one. */
  record: RecordOf<N> | undefined
  /** Whether another user has deleted it. */
  isMissing: boolean
  scope: AnyRow | undefined
  close: () => void
}

/** Form of a record in a modal or a drawer; asks for confirmation before unsaved edits are lost. */
export function RecordDialog<N extends ResourceName>(props: Props<N>) {
  const { resource, form: spec, title, isMissing, scope, close } = props
  const record = props.record as AnyRow | undefined
  const t = useT()
  const fields = useValueOrHook(spec.fields)
  const initial = useValueOrHook(spec.initial)
  const formState = useRecordForm(resource, record, {
    scope,
    toForm: spec.toForm as ((record: AnyRow) => AnyRow) | undefined,
    toInput: spec.toInput,
  })
  const confirmAndClose = () => formState.confirmLeave(close)
  const body = (
    <>
      {isMissing && <Alert showIcon type="error" role="alert" message={t('screens:form.gone')} style={GAP} />}
      <RecordForm
        resource={resources[resource].name}
        schema={formState.schema}
        fields={fields}
        form={formState.form}
        initial={formState.initial ?? initial}
        names={spec.names}
        onDirty={formState.setDirty}
        submit={async (values) => {
          if (await formState.save(values)) close()
        }}
      >
        <FormConflict {...{ resource, formState, record, fields }} />
      </RecordForm>
      {props.record && spec.Below && <spec.Below record={props.record} />}
    </>
  )
  const buttons = [
    <Button key="cancel" onClick={confirmAndClose}>
      {t('screens:cancel')}
    </Button>,
    <Button
      key="save"
      type="primary"
      loading={formState.busy}
      disabled={isMissing || formState.tracked.conflicting.length > 0}
      onClick={() => formState.form.submit()}
    >
      {t('screens:save')}
    </Button>,
  ]
  return spec.presentation === 'modal' ? (
    <Modal open title={title} onCancel={confirmAndClose} footer={buttons} maskClosable={false}>
      {body}
    </Modal>
  ) : (
    <Drawer open title={title} onClose={confirmAndClose} footer={buttons}>
      {body}
    </Drawer>
  )
}

const GAP = { marginBottom: 16 }
