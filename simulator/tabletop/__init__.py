"""A simulated table before a simulated camera: what lies where, in millimetres, and the pictures with their truth.

    setting = set_table("block", 2, TESTING_SEEDS[3])     # staging.games: look, play area, tags, seats, tidiness
    stage = stage_of("block", setting)                    # lays engine states; only what has changed moves
    table = stage.lay(state)                              # Tabletop: a value; stage.plan(state).nominal(): without slop
    renderer = Renderer(Camera(tilt=0.2, k1=-0.04), setting.look)
    image, truth = renderer.shoot(table, number=0)        # (H, W, 3) uint8 BGR; truth.shown: outline, visible, veiled

    players = Players(state, stage, seed=1, mischief=LIVELY)      # staging.players: plays on, makes mistakes
    table = SimulatedTable(setting, Camera(), players.table, players.happenings(), seed=1)
    for moment in table.moments():                        # frame, truth, happening, doing, settled; its own clock
        ...

Happenings are values (`happenings`): Move with the engine's actions and the state after it, Together, Rest, Wash, Bump,
Lighting, Flash, Covered, Frozen, Unplugged, Still; any list of them is a script. Table frame: origin in the middle of the
play area, x right, y down as seen from above, angles clockwise.
"""
