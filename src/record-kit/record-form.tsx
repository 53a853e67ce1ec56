import { Alert, Form, type FormInstance, Input, InputNumber, Switch } from 'antd'
import { useState, type ReactNode } from 'react'
import { useT } from '../lib/i18n/i18n.ts'
import { z } from 'zod'
import type { ResourceName } from '../../contract/index.ts'
import { describeFailure, describeField } from '../data/failure.ts'
import { callErrorIn } from '../data/post.ts'
import page from '../ui/page/page.module.css'
import styles from './form.module.css'
import { isRequired, reasonFor, maxLengthOf, unwrap } from './field-rules.ts'
import type { AnyRow } from './resource-types.ts'
import { FormSelect } from '../ui/inputs/form-select.tsx'
import { COUNT_NEAR_LIMIT } from '../ui/inputs/near-limit.ts'

/** A field by name, or with its special properties. */
export type FormField =
  | string
  | {
      name: string
      /** Defaults to `resources.<name>.fields.<field>`. */
      label?: string
      input: ReactNode
      /** Schema of a field that the call does not contain under this name. */
      rule?: z.ZodType
      hint?: string
      valuePropName?: string
      /** Fills a whole line of a form with columns. */
      isWide?: boolean
      /** Text of the field for a record, if it is not the value itself. */
      describe?: (record: AnyRow) => string | null
    }

interface Props {
  /** Determines the labels: `resources.<name>.fields`. */
  resource: ResourceName | 'company'
  /** Schema of the call's input, which validates the fields. */
  schema: z.ZodObject
  fields: readonly FormField[]
  form: FormInstance
  initial?: Record<string, unknown> | undefined
  /** Rejects with CallError or Refine's HttpError; field errors are shown at their fields, others above the form. */
  submit: (values: Record<string, unknown>) => Promise<void>
  onDirty?: (dirty: boolean) => void
  /** Two fields per line if there is space. */
  columns?: boolean
  /** Makes the form read-only. */
  disabled?: boolean
  /** Maps fields of the call to fields of the form, if they differ. */
  names?: Readonly<Record<string, string>> | undefined
  children?: ReactNode
}

/** Form validated by the contract's schema, with labels from `resources.<name>.fields`. */
export function RecordForm({
  resource,
  schema,
  fields,
  form,
  initial,
  submit,
  onDirty,
  columns,
  disabled,
  names = {},
  children,
}: Props) {
  const [failure, setFailure] = useState<unknown>()

  async function finish(values: Record<string, unknown>) {
    setFailure(undefined)
    try {
      await submit(values)
    } catch (error) {
      const fieldErrors = Object.entries(callErrorIn(error)?.fields ?? {})
        .map(([path, reason]) => ({ name: names[path] ?? path, errors: [describeField(reason, path)] }))
        .filter(({ name }) => fields.some((field) => nameOf(field) === name))
      form.setFields(fieldErrors)
      if (fieldErrors.length === 0) setFailure(error)
    }
  }

  return (
    <Form
      form={form}
      layout="vertical"
      initialValues={initial}
      onFinish={finish}
      onValuesChange={() => onDirty?.(true)}
      requiredMark={OptionalMark}
      {...(disabled !== undefined && { disabled })}
      scrollToFirstError
    >
      {failure !== undefined && (
        <Alert type="error" showIcon message={describeFailure(failure)} style={{ marginBottom: 16 }} />
      )}
      <div className={columns ? styles.columns : undefined}>
        {fields.map((field) => (
          <FieldItem key={nameOf(field)} resource={resource} schema={schema} field={field} />
        ))}
      </div>
      {children}
    </Form>
  )
}

function FieldItem({ resource, schema, field }: Pick<Props, 'resource' | 'schema'> & { field: FormField }) {
  const t = useT()
  const name = nameOf(field)
  const { label, input, hint, valuePropName, isWide, ...inputProps } =
    typeof field === 'string' ? ({} as Special) : field
  const rule = inputProps.rule ?? (schema.shape[name] as z.ZodType)
  return (
    <Form.Item
      name={name}
      label={label ?? t(`resources:${resource}.fields.${name}`)}
      required={isRequired(rule) || !canBeEmpty(field, rule)}
      className={isWide ? page.wholeRow : undefined}
      validateTrigger={['onBlur', 'onSubmit']}
      {...(hint && { extra: hint })}
      {...(valuePropName && { valuePropName })}
      rules={[
        {
          validator: (_, value: unknown) => {
            const reason = reasonFor(rule, value)
            return reason ? Promise.reject(new Error(describeField(reason, name))) : Promise.resolve()
          },
        },
      ]}
    >
      {input ?? inputFor(rule)}
    </Form.Item>
  )
}
type Special = Partial<Exclude<FormField, string>>

/** Marks optional fields, as every form does; most fields are required. */
export function OptionalMark(label: ReactNode, { required }: { required: boolean }) {
  return (
    <>
      {label}
      {!required && (
        <span style={{ color: 'var(--muted)' }}>
          &nbsp;
          <Optional />
        </span>
      )}
    </>
  )
}

const Optional = () => useT()('screens:form.optional')

/** Whether the field can be left empty; a switch, a matrix and a choice without an empty option always have a value. */
function canBeEmpty(field: FormField, rule: z.ZodType): boolean {
  const inner = unwrap(rule)
  if (typeof field !== 'string' && field.valuePropName) return false
  if (inner instanceof z.ZodString || inner instanceof z.ZodNumber) return true
  if (inner instanceof z.ZodEnum) return rule.safeParse(null).success
  if (inner instanceof z.ZodArray) return rule.safeParse([]).success
  return typeof field === 'string' || !field.isWide
}

export const nameOf = (field: FormField) => (typeof field === 'string' ? field : field.name)

/** Default input of a schema: text, number, switch or select. Screens provide other inputs. */
function inputFor(schema: z.ZodType): ReactNode {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodBoolean) return <Switch />
  if (inner instanceof z.ZodNumber)
    return (
      <InputNumber
        min={inner.minValue ?? undefined}
        max={inner.maxValue ?? undefined}
        style={{ width: '100%' }}
      />
    )
  if (inner instanceof z.ZodEnum)
    return <FormSelect options={inner.options.map((value) => ({ value, label: String(value) }))} />
  const length = maxLengthOf(schema)
  return <Input maxLength={length} showCount={length !== undefined && COUNT_NEAR_LIMIT} />
}
