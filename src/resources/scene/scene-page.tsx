import { Checkbox, Form, Radio } from 'antd'
import { useState, type ReactNode, type ComponentType } from 'react'
import { useNavigate, useParams } from 'react-router'
import { z } from 'zod'
import {
  AppstoreOutlined,
  ClearOutlined,
  CoffeeOutlined,
  ControlOutlined,
  FundProjectionScreenOutlined,
  LoginOutlined,
  LogoutOutlined,
  MoonOutlined,
  SafetyOutlined,
  SunOutlined,
  TeamOutlined,
  ToolOutlined,
} from '@ant-design/icons'
import { SCENE_ICONS } from '../../../contract/automation/scene.ts'
import { ORDERS } from '../../../contract/automation/action.ts'
import { actionReasons } from '../../domain/automation/actions/action-errors.ts'
import { missingTargets, type EditedAction } from '../../domain/automation/targets/target.ts'
import { useActionFacts } from '../../domain/automation/targets/use-action-facts.ts'
import { callErrorIn } from '../../data/post.ts'
import { useMay } from '../../data/session.ts'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import type { FormField } from '../../record-kit/record-form.tsx'
import { FormCard, OneRecordPage, RecordPage } from '../../record-kit/record-page.tsx'
import type { AnyRow } from '../../record-kit/resource-types.ts'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import { MissingRight } from '../../ui/page/missing-right.tsx'
import page from '../../ui/page/page.module.css'
import { SceneActions } from './scene-actions.tsx'
import { type ListedScene, RunScene, SceneRun, SceneRuns } from './run-cell.tsx'
import styles from './scene.module.css'

export type SceneIconName = (typeof SCENE_ICONS)[number]

const ICONS: Readonly<Record<SceneIconName, ComponentType>> = {
  scene: AppstoreOutlined,
  sun: SunOutlined,
  moon: MoonOutlined,
  coffee: CoffeeOutlined,
  meeting: TeamOutlined,
  presentation: FundProjectionScreenOutlined,
  clean: ClearOutlined,
  leave: LogoutOutlined,
  arrive: LoginOutlined,
  climate: ControlOutlined,
  safety: SafetyOutlined,
  factory: ToolOutlined,
}

/** Icon of a scene; hidden from screen readers, because the name is shown next to it. */
export function SceneIcon({ icon }: { icon: SceneIconName }) {
  const Icon = ICONS[icon]
  return (
    <span aria-hidden>
      <Icon />
    </span>
  )
}

const describeMissing = () => ({
  title: words('automation:scene.notFound'),
  toList: words('resources:scene.list'),
})
const CONTROL = { feature: 'device_control', operation: 'Control' } as const

export function ScenePage() {
  const { HomeID = '', SceneID } = useParams()
  if (SceneID === undefined)
    return <SceneForm key={HomeID} HomeID={HomeID} scene={undefined} isDeleted={false} />
  return (
    <OneRecordPage
      key={SceneID}
      resource="scene"
      id={{ SceneID }}
      missingTexts={describeMissing}
      list={pathTo('SceneList', { HomeID })}
    >
      {(scene, isDeleted) => <SceneForm HomeID={HomeID} scene={scene} isDeleted={isDeleted} />}
    </OneRecordPage>
  )
}

function SceneForm(props: { HomeID: string; scene: ListedScene | undefined; isDeleted: boolean }) {
  const { HomeID, scene } = props
  const t = useT()
  const navigate = useNavigate()
  const mayControl = useMay(CONTROL.feature, CONTROL.operation)
  const facts = useActionFacts(HomeID)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const edited = useRecordForm('scene', scene as AnyRow | undefined, { scope: { HomeID } })
  const inOrder = Form.useWatch<unknown>('Order', edited.form) === 'inOrder'
  const list = pathTo('SceneList', { HomeID })

  const submit = async (values: AnyRow) => {
    const missing = mayControl ? missingTargets(values['Actions'] as EditedAction[], facts) : {}
    setErrors(missing)
    if (Object.keys(missing).length > 0) return showFirst()
    try {
      if (await edited.save(values)) void navigate(list)
    } catch (error) {
      setErrors(actionReasons(callErrorIn(error)?.fields ?? {}))
      showFirst()
      throw error
    }
  }
  const actions = (
    <SceneActions
      HomeID={HomeID}
      inOrder={inOrder}
      errors={errors}
      disabled={!mayControl}
      onEdit={() => setErrors({})}
    />
  )

  return (
    <RecordPage
      title={scene?.SceneName ?? t('resources:scene.create')}
      head={
        scene && (
          <span className={page.tools}>
            <SceneRun scene={scene} />
            <RunScene scene={scene} />
            <SceneRuns scene={scene} />
          </span>
        )
      }
    >
      {!mayControl && <MissingRight right={CONTROL} />}
      <FormCard
        resource="scene"
        formState={edited}
        record={scene as AnyRow | undefined}
        isMissing={props.isDeleted}
        initial={{ Icon: 'scene', Order: 'together', StopOnFailure: false, Actions: [] }}
        fields={fieldsOf(actions, inOrder)}
        cancelTo={list}
        submit={submit}
      />
    </RecordPage>
  )
}

/** Only the role radiogroup allows aria-required; Ant Design omits it. */
const GROUP: object = { role: 'radiogroup' }

/** Form fields; the errors of actions are shown at each action. */
const fieldsOf = (actions: ReactNode, inOrder: boolean): FormField[] => [
  'SceneName',
  {
    name: 'Order',
    rule: z.enum(ORDERS),
    input: (
      <Radio.Group
        {...GROUP}
        options={ORDERS.map((value) => ({ value, label: words(`automation:scene.orders.${value}`) }))}
      />
    ),
    describe: (row) => words(`automation:scene.orders.${(row as ListedScene).Order ?? 'together'}`),
  },
  ...(inOrder
    ? [
        {
          name: 'StopOnFailure',
          rule: z.boolean(),
          valuePropName: 'checked',
          input: <Checkbox>{words('automation:actions.stopOnFailure')}</Checkbox>,
          describe: (row: AnyRow) =>
            words(
              (row as unknown as ListedScene).StopOnFailure
                ? 'automation:actions.stopOnFailure'
                : 'automation:actions.goesOn',
            ),
        },
      ]
    : []),
  {
    name: 'Icon',
    rule: z.enum(SCENE_ICONS),
    isWide: true,
    input: (
      <Radio.Group {...GROUP} className={`${page.tightRow} ${styles.icons}`}>
        {SCENE_ICONS.map((icon) => (
          <Radio.Button key={icon} value={icon} title={words(`automation:scene.icons.${icon}`)}>
            <SceneIcon icon={icon} />
            <span className="visually-hidden">{words(`automation:scene.icons.${icon}`)}</span>
          </Radio.Button>
        ))}
      </Radio.Group>
    ),
    describe: (row) => words(`automation:scene.icons.${(row as ListedScene).Icon}`),
  },
  {
    name: 'Actions',
    isWide: true,
    rule: z.array(z.unknown()),
    input: actions,
    describe: (row) => words('automation:scene.actionCount', { count: (row as ListedScene).Actions.length }),
  },
]

/** Scrolls to the first invalid action after its error has rendered. */
function showFirst(): void {
  requestAnimationFrame(() =>
    document.querySelector('form [role="alert"]')?.scrollIntoView?.({ block: 'center' }),
  )
}
