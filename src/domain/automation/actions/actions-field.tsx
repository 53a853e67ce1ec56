import { PlusOutlined, UndoOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { MAX_ACTIONS } from '../../../../contract/automation/action.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { ActionRow } from './action-row.tsx'
import { errorsAt, useReasonWords } from './action-errors.ts'
import styles from './actions.module.css'
import { actionFor, type EditedAction, type TargetKey } from '../targets/target.ts'
import { TargetPicker } from './target-picker.tsx'
import { useActionFacts } from '../targets/use-action-facts.ts'
import { useActionWords } from './use-action-words.ts'
import { useRows } from './use-rows.ts'

interface Props {
  value: readonly EditedAction[]
  onChange: (actions: EditedAction[]) => void
  HomeID: string
  /** Whether an action may run a scene; if so, the picker offers scenes. */
  allowScenes?: boolean
  /** Whether the actions run in sequence. */
  inOrder?: boolean
  /** Reasons by path, as returned by the gateway, e.g. `Actions.3.Values.Switch1`. */
  errors?: Readonly<Record<string, string>>
  /** Name of the field that holds the actions: the first part of those paths. */
  name?: string
  disabled?: boolean
}

/**
 * Ordered list of the actions of a scene or an automation. A picker adds several at once; each action shows the fields that can be set on
 * its device. Controlled: the form owns the actions and validates them with `missingTargets`.
 */
export function ActionsField(props: Props) {
  const { value, onChange, HomeID, allowScenes = false, disabled = false } = props
  const t = useT()
  const facts = useActionFacts(HomeID, allowScenes)
  const words = useActionWords(facts)
  const [picking, setPicking] = useState<'new' | number>()
  const box = useRef<HTMLOListElement>(null)
  const list = useRows(value, onChange, box)
  const isFull = value.length >= MAX_ACTIONS
  const reasonOf = useReasonWords()
  const errors = errorsAt(props.errors ?? {}, props.name ?? 'Actions', reasonOf)

  const pick = (targets: readonly TargetKey[]) => {
    const at = picking
    setPicking(undefined)
    const [first] = targets
    if (at === 'new') return list.add(targets.map(actionFor))
    const before = at === undefined ? undefined : value[at]
    if (at === undefined || !before || !first) return
    list.replace(at, { ...before, ...first })
  }
  const add = !disabled && (
    <Button icon={<PlusOutlined />} disabled={isFull} onClick={() => setPicking('new')}>
      {t('automation:actions.add')}
    </Button>
  )

  return (
    <section className={page.tightStack} aria-label={t('automation:actions.title')}>
      <header className={page.spread}>
        <span className={page.count}>
          {value.length === 0
            ? t('automation:actions.none')
            : t('automation:actions.count', { count: value.length, most: MAX_ACTIONS })}
        </span>
        {add}
      </header>
      {errors.listError && (
        <p role="alert" className={`${page.fault} ${page.wholeRow}`}>
          {errors.listError}
        </p>
      )}
      <ol ref={box} className={`${page.tightStack} ${styles.rows}`}>
        {value.map((action, i) => (
          <li
            key={list.keys[i]}
            data-row={list.keys[i]}
            data-over={list.isOver(i) || undefined}
            {...list.removeProps(i)}
          >
            <ActionRow
              action={action}
              facts={facts}
              words={words}
              errors={errors.rows[i] ?? {}}
              disabled={disabled}
              inOrder={props.inOrder ?? false}
              onChange={(next) => list.replace(i, next)}
              moves={{ ...list.movesOf(i), replace: () => setPicking(i) }}
            />
          </li>
        ))}
      </ol>
      {list.removed && (
        <div role="status" className={`${page.dashed} ${page.padded} ${page.spread}`}>
          {t('automation:actions.removed', { name: words.nameOf(list.removed.action) })}
          <Button icon={<UndoOutlined />} onClick={list.undo}>
            {t('automation:actions.undo')}
          </Button>
        </div>
      )}
      {picking !== undefined && (
        <TargetPicker
          facts={facts}
          actions={value}
          remainingCount={MAX_ACTIONS - value.length}
          allowScenes={allowScenes}
          replaces={picking !== 'new'}
          close={() => setPicking(undefined)}
          pick={pick}
        />
      )}
    </section>
  )
}
