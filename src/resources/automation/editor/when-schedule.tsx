import { Radio, Select } from 'antd'
import type { FC } from 'react'
import { BOOKING_MOMENTS } from '../../../../contract/automation/schedule.ts'
import { useTimeZone } from '../../../data/homes.ts'
import { useMay } from '../../../data/session.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { fromWallTimeInput, toWallTimeInput } from '../../../lib/wall-input.ts'
import { MomentField } from '../../../ui/inputs/day-field/day-field.tsx'
import { NumberWithUnit } from '../../../ui/inputs/number-with-unit.tsx'
import { SubjectSelect } from './subject-select.tsx'
import { TRIGGERS } from '../rules/draft.ts'
import { Field, PartFault, type PartProps } from './field.tsx'
import page from '../../../ui/page/page.module.css'
import { MoreConditions } from './more-conditions.tsx'
import { OnlyOnDays } from './only-while.tsx'
import { MomentOfDay, WeekdaysField } from './time-fields.tsx'
import { useRuleRooms, type RuleFacts } from '../words/use-rule-facts.ts'
import { holdsLabel } from '../../../lib/match-words.ts'

interface Props extends PartProps {
  facts: RuleFacts
}

/** Trigger of a schedule: repeating, once, or around the bookings of a meeting room. */
export const WhenSchedule: FC<Props> = (props) => {
  const { draft, change, disabled } = props
  const t = useT()
  const mayReadRooms = useMay('conference_room', 'Read')
  const offeredTriggers = TRIGGERS.filter(
    (one) => one !== 'booking' || mayReadRooms || draft.trigger === 'booking',
  )
  return (
    <>
      <Radio.Group
        aria-label={t('automation:rule.edit.trigger')}
        disabled={disabled}
        value={draft.trigger}
        options={offeredTriggers.map((value) => ({
          value,
          label: t(`automation:rule.edit.triggers.${value}`),
        }))}
        onChange={({ target }) => change({ trigger: target.value as (typeof TRIGGERS)[number] })}
      />
      <div className={page.fields}>
        {draft.trigger === 'repeating' && <Repeatedly {...props} />}
        {draft.trigger === 'single' && <Once {...props} />}
        {draft.trigger === 'booking' && <AroundBooking {...props} />}
      </div>
      <PartFault path="Schedule" reasons={props.reasons} />
      <PartFault path="Booking" reasons={props.reasons} />
      {draft.trigger === 'repeating' && (
        <MoreConditions {...props} kind="schedule">
          <OnlyOnDays {...props} />
        </MoreConditions>
      )}
    </>
  )
}

const Repeatedly: FC<Props> = ({ draft: { repeating }, change, reasons, disabled, facts }) => {
  const t = useT()
  const put = (next: Partial<typeof repeating>) => change({ repeating: { ...repeating, ...next } })
  const isBySun = typeof repeating.At === 'object' && repeating.At !== null
  return (
    <>
      <Field label={t('automation:rule.edit.weekdays')} path="Schedule.Weekdays" reasons={reasons} isWide>
        <WeekdaysField
          label={t('automation:rule.edit.weekdays')}
          value={repeating.Weekdays}
          disabled={disabled}
          onChange={(Weekdays) => put({ Weekdays })}
        />
      </Field>
      <Field
        label={t('automation:rule.edit.time')}
        path="Schedule.At"
        reasons={reasons}
        isWide
        {...(isBySun && !facts.hasPlace && { hint: t('automation:rule.edit.noPlace') })}
      >
        <MomentOfDay
          label={t('automation:rule.edit.time')}
          value={repeating.At}
          disabled={disabled}
          onChange={(At) => put({ At })}
        />
      </Field>
    </>
  )
}

const Once: FC<Props> = ({ draft, change, reasons, facts }) => {
  const t = useT()
  const zone = useTimeZone(facts.actions.HomeID)
  if (zone === undefined) return null
  return (
    <Field
      label={t('automation:rule.edit.dateAndTime')}
      path="Schedule.At"
      reasons={reasons}
      hint={t('automation:rule.edit.inZone', { zone })}
    >
      <MomentField
        minutes={1}
        zone={zone}
        label={t('automation:rule.edit.dateAndTime')}
        value={draft.singleAt === null ? '' : toWallTimeInput(draft.singleAt, zone)}
        change={(text) => change({ singleAt: fromWallTimeInput(text, zone) ?? null })}
      />
    </Field>
  )
}

const AroundBooking: FC<Props> = ({ draft: { booking }, change, reasons, disabled, facts }) => {
  const t = useT()
  const rooms = useRuleRooms().data ?? []
  const put = (next: Partial<typeof booking>) => change({ booking: { ...booking, ...next } })
  return (
    <>
      <Field label={t('automation:rule.edit.room')} path="Booking.ConferenceRoomID" reasons={reasons}>
        <Select
          aria-label={t('automation:rule.edit.room')}
          disabled={disabled}
          showSearch
          filterOption={holdsLabel}
          value={booking.ConferenceRoomID ?? null}
          options={rooms.map((room) => ({ value: room.ConferenceRoomID, label: room.ConferenceRoomName }))}
          onChange={(id) => put({ ConferenceRoomID: id ?? undefined })}
        />
      </Field>
      <Field label={t('automation:rule.edit.bookingMoment')}>
        <Select
          aria-label={t('automation:rule.edit.bookingMoment')}
          disabled={disabled}
          value={booking.When}
          options={BOOKING_MOMENTS.map((value) => ({
            value,
            label: t(`automation:rule.edit.bookingMoments.${value}`),
          }))}
          onChange={(When) => put({ When })}
        />
      </Field>
      <Field label={t('automation:rule.edit.minutesApart')} path="Booking.Minutes" reasons={reasons}>
        <NumberWithUnit
          aria-label={t('automation:rule.edit.minutesApart')}
          disabled={disabled}
          min={0}
          max={120}
          precision={0}
          value={booking.Minutes}
          unit={t('automation:rule.edit.minutes')}
          onChange={(Minutes) => put({ Minutes: Minutes ?? 0 })}
        />
      </Field>
      {booking.When === 'noShow' && (
        <Field
          label={t('automation:rule.edit.presence')}
          path="Booking.Presence"
          reasons={reasons}
          hint={t('automation:rule.edit.presenceHint')}
        >
          <SubjectSelect
            facts={facts}
            label={t('automation:rule.edit.presence')}
            disabled={disabled}
            acceptsFields={PRESENCE}
            value={booking.Presence?.PeripheralUID}
            onChange={(uid) =>
              put({ Presence: uid === undefined ? undefined : { PeripheralUID: uid, Field: MOTION } })
            }
          />
        </Field>
      )}
    </>
  )
}

/** Field that reports presence. */
const MOTION = 'MotionState'
const PRESENCE = (fields: readonly string[]) => fields.includes(MOTION)
