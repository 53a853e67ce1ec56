import { formatWeekday } from '../../../contract/time/format-time.ts'
import { Card, Checkbox, Switch, TimePicker } from 'antd'
import dayjs from 'dayjs'
import type { FC } from 'react'
import type { QuietHours } from '../../../contract/notifications/settings.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'

type Quiet = QuietHours | null

interface Props {
  quiet: Quiet
  change: (edit: (now: Quiet) => Quiet) => void
}

/** Monday first; 0 is Sunday. */
const WEEK = [1, 2, 3, 4, 5, 6, 0] as const
const HOUR = 60
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone

const FIRST = { From: 22 * HOUR, To: 7 * HOUR, Days: [0, 1, 2, 3, 4, 5, 6], Except: 'critical' } as const

/** Form for quiet hours, with a sentence that explains them. */
export const QuietHoursChoice: FC<Props> = ({ quiet, change }) => {
  const t = useT()
  const edit = (next: Partial<QuietHours>) =>
    change((now) => ({
      ...FIRST,
      ...now,
      ...next,
      Days: next.Days ?? [...(now ?? FIRST).Days],
      TimeZone: zoneHere(),
    }))
  return (
    <Card className={page.above16} title={t('inbox:quiet.title')}>
      <label className={`${page.spread} ${page.tall}`}>
        <span>{t('inbox:quiet.on')}</span>
        <Switch
          aria-label={t('inbox:quiet.on')}
          checked={quiet !== null}
          onChange={(isOn) => (isOn ? edit({}) : change(() => null))}
        />
      </label>
      {quiet ? (
        <>
          <Hours quiet={quiet} edit={edit} />
          <Days quiet={quiet} edit={edit} />
          <label className={`${page.spread} ${page.tall}`}>
            <span>{t('inbox:quiet.except')}</span>
            <Switch
              aria-label={t('inbox:quiet.except')}
              checked={quiet.Except === 'critical'}
              onChange={(isOn) => edit({ Except: isOn ? 'critical' : 'none' })}
            />
          </label>
          <Meaning quiet={quiet} />
        </>
      ) : (
        <p className={page.note}>{t('inbox:quiet.off')}</p>
      )}
    </Card>
  )
}

interface EditProps {
  quiet: QuietHours
  edit: (next: Partial<QuietHours>) => void
}

const Hours: FC<EditProps> = ({ quiet, edit }) => {
  const t = useT()
  return (
    <div className={`${page.wideRow} ${page.below8}`}>
      {(['From', 'To'] as const).map((end) => (
        <label key={end}>
          <span>{t(`inbox:quiet.${end}`)}</span>
          <TimePicker
            aria-label={t(`inbox:quiet.${end}`)}
            format="HH:mm"
            minuteStep={5}
            showNow={false}
            needConfirm={false}
            allowClear={false}
            value={dayjs(`2026-01-04T${clockOf(quiet[end])}`)}
            onChange={(time) => edit({ [end]: time.hour() * HOUR + time.minute() })}
          />
        </label>
      ))}
    </div>
  )
}

const Days: FC<EditProps> = ({ quiet, edit }) => {
  const t = useT()
  const nameOf = useDayName()
  return (
    <fieldset className={page.row}>
      <legend>{t('inbox:quiet.days')}</legend>
      {WEEK.map((day) => (
        <Checkbox
          key={day}
          checked={quiet.Days.includes(day)}
          // At least one day stays selected: the switch above turns quiet hours off.
          disabled={quiet.Days.length === 1 && quiet.Days.includes(day)}
          onChange={({ target }) =>
            edit({
              Days: WEEK.filter((weekday) =>
                weekday === day ? target.checked : quiet.Days.includes(weekday),
              ),
            })
          }
        >
          {nameOf(day)}
        </Checkbox>
      ))}
    </fieldset>
  )
}

const Meaning: FC<{ quiet: QuietHours }> = ({ quiet }) => {
  const t = useT()
  const language = useLanguage()
  const nameOf = useDayName()
  const { From, To, Days: days, Except, TimeZone } = quiet
  const isEveryDay = days.length === WEEK.length
  const textValues = {
    from: clockOf(From),
    to: clockOf(To),
    days: isEveryDay
      ? t('inbox:quiet.everyDay')
      : new Intl.ListFormat(language, { type: 'conjunction' }).format(
          WEEK.filter((day) => days.includes(day)).map(nameOf),
        ),
  }
  const periodKind = From === To ? (isEveryDay ? 'always' : 'wholeDay') : From < To ? 'sameDay' : 'overnight'
  return (
    <div className={`${page.sunken} ${page.above16}`} aria-live="polite">
      <p>{t(`inbox:quiet.means.${periodKind}`, textValues)}</p>
      <p>{t(`inbox:quiet.excepts.${Except}`)}</p>
      <p>{t('inbox:quiet.zone', { zone: TimeZone })}</p>
    </div>
  )
}

/** Minutes of the day as "07:05". */
const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / HOUR)).padStart(2, '0')}:${String(minutes % HOUR).padStart(2, '0')}`

/** Short name of a weekday, 0 is Sunday. */
function useDayName(): (day: number) => string {
  const language = useLanguage()
  return (day) => formatWeekday(day, language)
}
