import { theme, type ThemeConfig } from 'antd'
import { colors, fontFamily, shape, type, type Mode } from './theme.ts'

/** Asked once: with a later answer Ant Design would draw the whole tree again. */
const still = matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Ant Design's tokens of a mode, from the one table of colours.
 *
 * phone  the screen is as narrow as a phone's: what is pressed is as high as a finger wants it
 */
export function antdTheme(mode: Mode, phone: boolean): ThemeConfig {
  const c = colors[mode]
  return {
    algorithm: mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      colorPrimary: c.accent,
      colorPrimaryHover: c.accentHover,
      colorPrimaryActive: c.accentHover,
      colorPrimaryText: c.accentText,
      colorLink: c.accentText,
      colorLinkHover: c.accentText,
      colorInfo: c.accent,
      colorSuccess: c.good,
      colorWarning: c.warning,
      colorError: c.alarm,
      colorErrorText: c.alarm,
      // Antd mixes grounds from our dark accents that look like mud; these are ours.
      colorInfoBg: c.accentSoft,
      colorInfoBorder: c.line,
      colorSuccessBg: c.goodSoft,
      colorSuccessBorder: c.line,
      colorWarningBg: c.warningSoft,
      colorWarningBorder: c.line,
      colorErrorBg: c.alarmSoft,
      colorErrorBorder: c.line,
      colorText: c.text,
      colorTextSecondary: c.muted,
      colorTextTertiary: c.faint,
      colorTextDescription: c.muted,
      colorTextPlaceholder: c.faint,
      colorTextLightSolid: c.onAccent,
      colorBgLayout: c.background,
      colorBgContainer: c.surface,
      colorBgElevated: c.raised,
      colorBorder: c.lineStrong,
      colorBorderSecondary: c.line,
      colorSplit: c.line,
      fontSize: type.text[0],
      lineHeight: type.text[1] / type.text[0],
      fontSizeHeading1: type.page[0],
      fontSizeHeading2: type.card[0],
      borderRadius: shape.radius,
      borderRadiusLG: shape.card,
      paddingLG: 16,
      controlHeight: phone ? shape.controlPhone : shape.control,
      ...(phone && { controlHeightLG: shape.controlPhone }),
      fontFamily,
      // A motion that is only short still has its steps, in which a dialog is not yet where it will be pressed.
      motion: !still,
      motionDurationFast: '0.08s',
      motionDurationMid: '0.12s',
      motionDurationSlow: '0.18s',
    },
    components: {
      Segmented: {
        trackBg: c.control,
        // In the dark the surface is below the track, and what is not chosen would stand out.
        ...(mode === 'dark'
          ? { itemSelectedBg: c.accentSoft, itemSelectedColor: c.accentText }
          : { itemSelectedBg: c.surface }),
        // The track's edge would leave a finger less than it wants.
        ...(phone && { trackPadding: 0 }),
      },
      Tabs: { itemSelectedColor: c.accentText, itemHoverColor: c.accentText, inkBarColor: c.accentText },
      Table: {
        cellFontSize: type.table[0],
        cellPaddingBlock: 12,
        cellPaddingInline: 12,
        rowSelectedBg: c.accentSoft,
        rowSelectedHoverBg: c.accentSoft,
      },
      Slider: {
        railBg: c.line,
        railHoverBg: c.line,
        trackBg: c.on,
        trackHoverBg: c.on,
        handleColor: c.on,
        handleActiveColor: c.on,
      },
      Card: { bodyPadding: phone ? 12 : 16, headerPadding: phone ? 12 : 16, headerFontSize: type.card[0] },
      Modal: { borderRadiusLG: shape.dialog },
      Button: {
        // A ground instead of an edge: what is pressed is told from what is typed into.
        defaultBg: c.control,
        borderColorDisabled: 'transparent',
        defaultShadow: 'none',
        primaryShadow: 'none',
        dangerShadow: 'none',
        defaultBorderColor: 'transparent',
        defaultHoverBg: c.line,
        defaultActiveBg: c.line,
        // Antd paints danger buttons white on colorError: too pale for that in the dark.
        dangerColor: mode === 'dark' ? colors.dark.background : colors.light.onAccent,
        // Words under the pointer are to be read too.
        defaultHoverColor: c.accentText,
        defaultActiveColor: c.accentText,
        defaultHoverBorderColor: 'transparent',
        defaultActiveBorderColor: 'transparent',
      },
    },
  }
}
