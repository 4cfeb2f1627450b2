"""A simulated table before a simulated camera: what lies where, in millimetres, and the pictures with their truth.

    look = Look.of(TESTING_SEEDS[3])                      # table top, domino set, lamps, piecepack, chips
    setting = Setting(look, players=2, seed=3)            # vision.synthetic.staging.setting
    stage = LineStage(setting)                            # vision.synthetic.staging.lines, .euronimoes, ...
    table = stage.lay(state)                              # engine state -> Tabletop; only what has changed moves
    stage.plan(state).nominal()                           # the same without millimetres and degrees of slop
    renderer = Renderer(Camera(tilt=0.2, k1=-0.04), look)
    image, truth = renderer.shoot(table, number=0)        # (H, W, 3) uint8 BGR; truth.shown: outline, visible, veiled
    table = table.moved("3-5", x=40.0)                    # tables are values; the next picture costs what has changed

Table frame: origin in the middle of the play area, x right, y down as seen from above, angles clockwise.
"""
