import * as chrono from "chrono-node";
import fc from "fast-check";
import { DateTime } from "luxon";
import { expect, it } from "vitest";
import { readTime } from "../../src/engine/natural-time.ts";

const ZONE = "Europe/London";
const NOW = DateTime.fromISO("2026-03-11T14:20:00", { zone: ZONE });
const MONTHS = ["January", "Feb", "March", "Apr", "May", "June", "Jul", "August", "Sept", "October", "Nov", "December"];

/** Ways of writing a day, and a clock time, that leave no room for interpretation. */
const day = fc
  .record({ offset: fc.integer({ min: 2, max: 700 }), form: fc.constantFrom("mdy", "dmy", "iso", "ord") })
  .map(({ offset, form }) => {
    const at = NOW.plus({ days: offset });
    const month = MONTHS[at.month - 1] ?? "";
    const texts = {
      mdy: `${month} ${at.day}, ${at.year}`,
      dmy: `${at.day} ${month} ${at.year}`,
      iso: at.toFormat("yyyy-MM-dd"),
      ord: `the ${at.day}${[1, 21, 31].includes(at.day) ? "st" : [2, 22].includes(at.day) ? "nd" : [3, 23].includes(at.day) ? "rd" : "th"} of ${month} ${at.year}`,
    };
    return texts[form as keyof typeof texts];
  });
const clock = fc.constantFrom("", " at 9am", " at 3:15 pm", " 17:40", " at noon");
const span = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom("minutes", "hours"))
  .map(([n, unit]) => `in ${n} ${unit}`);

it("reads what leaves no room for interpretation as a well-kept parser does", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.tuple(day, clock).map((parts) => parts.join("")),
        span,
      ),
      (text) => {
        const [theirs] = chrono.en.parse(
          text,
          { instant: NOW.toJSDate(), timezone: NOW.offset },
          { forwardDate: true },
        );
        const ours = readTime(text, NOW.toJSDate(), ZONE);
        expect(theirs, text).toBeDefined();
        const start = theirs?.start;
        const wall = DateTime.fromJSDate(ours?.start ?? new Date(0), { zone: ZONE });
        expect([wall.year, wall.month, wall.day], text).toEqual([
          start?.get("year"),
          start?.get("month"),
          start?.get("day"),
        ]);
        if (start?.isCertain("hour"))
          expect([wall.hour, wall.minute], text).toEqual([start.get("hour"), start.get("minute")]);
      },
    ),
    { numRuns: 200 },
  );
});
