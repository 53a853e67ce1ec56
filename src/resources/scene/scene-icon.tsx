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
import type { ComponentType } from 'react'
import type { SCENE_ICONS } from '../../../contract/automation/scene.ts'

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
