import { Form, Input, InputNumber } from 'antd'
import { useState, type FC } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import type { BulkItem } from '../../../record-kit/bulk/bulk-run.ts'
import page from '../../../ui/page/page.module.css'
import { onEnter } from '../../../ui/inputs/on-enter.ts'
import { Modal } from '../../../ui/page/dialog.tsx'

/** §3: maximum length of a device name. */
const MAX_NAME_LENGTH = 64

type RenameFault = 'empty' | 'noNumber' | 'tooLong'

/**
 * New names from a pattern: `{n}` is the number, padded to the digits of the last one, `{name}` the present name.
 *
 * names   present names, in numbering order
 * start   number of the first one
 */
export function newNames(pattern: string, names: readonly string[], start: number): string[] {
  const digits = String(start + names.length - 1).length
  return names.map((name, i) =>
    pattern
      .replace(/\{(n|name)\}/g, (_, word) => (word === 'n' ? String(start + i).padStart(digits, '0') : name))
      .trim(),
  )
}

/** Fault of a pattern; undefined if it is valid. */
export function renameFault(
  pattern: string,
  names: readonly string[],
  start: number,
): RenameFault | undefined {
  if (!pattern.trim()) return 'empty'
  if (names.length > 1 && !/\{(n|name)\}/.test(pattern)) return 'noNumber'
  const renamed = newNames(pattern, names, start)
  if (renamed.some((name) => name.length > MAX_NAME_LENGTH)) return 'tooLong'
  return renamed.some((name) => !name) ? 'empty' : undefined
}

const MAX_SHOWN = 3

/** Dialog for a pattern, with a preview of the first new names. */
export const RenameDialog: FC<{
  items: readonly BulkItem[]
  rename: (names: ReadonlyMap<string, string>) => void
  close: () => void
}> = ({ items, rename, close }) => {
  const t = useT()
  const [pattern, setPattern] = useState('')
  const [start, setStart] = useState(1)
  const present = items.map(({ name }) => name)
  const fault = renameFault(pattern, present, start)
  const names = newNames(pattern, present, start)
  const submit = () => {
    if (!fault) rename(new Map(items.map(({ id }, i) => [id, names[i] as string])))
  }
  return (
    <Modal
      open
      title={t('lists:renameTo.title', { count: items.length })}
      okText={t('lists:renameTo.ok')}
      cancelText={t('screens:cancel')}
      okButtonProps={{ disabled: fault !== undefined }}
      onOk={submit}
      onCancel={close}
    >
      <Form layout="vertical">
        <Form.Item
          label={t('lists:renameTo.pattern')}
          htmlFor="rename-pattern"
          extra={t('lists:renameTo.help')}
          {...(fault && pattern && { validateStatus: 'error', help: t(`lists:renameTo.${fault}`) })}
        >
          <Input
            id="rename-pattern"
            value={pattern}
            onChange={({ target }) => setPattern(target.value)}
            onPressEnter={onEnter(submit)}
          />
        </Form.Item>
        <Form.Item label={t('lists:renameTo.start')} htmlFor="rename-start">
          <InputNumber
            id="rename-start"
            min={0}
            max={99_999}
            precision={0}
            value={start}
            onChange={(next) => setStart(next ?? 1)}
            onPressEnter={onEnter(submit)}
          />
        </Form.Item>
      </Form>
      {!fault && (
        <>
          <h3 className={page.below8}>{t('lists:renameTo.preview')}</h3>
          <ul className={page.bullets}>
            {items.slice(0, MAX_SHOWN).map(({ id, name }, i) => (
              <li key={id}>
                {name} → <strong>{names[i]}</strong>
              </li>
            ))}
            {items.length > MAX_SHOWN && <li>{t('lists:renameTo.rest')}</li>}
          </ul>
        </>
      )}
    </Modal>
  )
}
