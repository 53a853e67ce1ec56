import {
  FEATURES,
  OPERATIONS,
  type FeatureKey,
  type Operation,
  type Permission,
} from '../kernel/permissions.ts'

/** Sets of rights for typical tasks; a starting point that the grantor may change. */
export const TEMPLATE_NAMES = ['none', 'viewer', 'operator', 'frontDesk', 'facilityManager'] as const
export type TemplateName = (typeof TEMPLATE_NAMES)[number]

const permissionsFor = (features: readonly FeatureKey[], operations: readonly Operation[]): Permission[] =>
  features.map((FeatureKey) => ({ FeatureKey, OperationList: [...operations] }))

/** Read on every feature, plus additional operations on some. */
function reading(extra: Partial<Record<FeatureKey, readonly Operation[]>>): Permission[] {
  return FEATURES.map((FeatureKey) => {
    const operationsHeld: readonly Operation[] = ['Read', ...(extra[FeatureKey] ?? [])]
    return { FeatureKey, OperationList: OPERATIONS.filter((operation) => operationsHeld.includes(operation)) }
  })
}

/** Features that the facility manager may only read: changing people and company is left to administrators. */
const PEOPLE: readonly FeatureKey[] = ['user', 'company']

/** Rights of each template by name: operations in the order of §6, features without rights left out. */
export const PERMISSION_TEMPLATES: Readonly<Record<TemplateName, readonly Permission[]>> = {
  none: [],
  viewer: reading({}),
  operator: reading({
    device_control: ['Control'],
    power_meter_alarm: ['Control'],
    group: ['Control'],
    scene: ['Control'],
    conference_room: ['Create', 'Update', 'Delete'],
  }),
  frontDesk: [
    ...permissionsFor(['dashboard', 'home'], ['Read']),
    ...permissionsFor(
      ['conference_room', 'access_control_visitor'],
      ['Read', 'Create', 'Update', 'Delete', 'Export'],
    ),
    ...permissionsFor(['access_control_employee', 'access_control_scanner'], ['Read']),
  ],
  facilityManager: FEATURES.flatMap((feature) =>
    permissionsFor([feature], PEOPLE.includes(feature) ? ['Read'] : OPERATIONS),
  ),
}

const textOf = (permissions: readonly Permission[]): string =>
  permissions
    .flatMap(({ FeatureKey, OperationList }) =>
      OperationList.map((operation) => `${FeatureKey}.${operation}`),
    )
    .toSorted()
    .join()

/** Template with exactly these rights; undefined if there is none. */
export const templateOf = (permissions: readonly Permission[]): TemplateName | undefined =>
  TEMPLATE_NAMES.find((name) => textOf(PERMISSION_TEMPLATES[name]) === textOf(permissions))
